import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: at('.'),
  // Served from any folder of any host.
  base: './',
  plugins: [react()],
  resolve: { conditions: ['switchboard-source', 'module', 'browser', 'development|production'] },
  build: {
    target: 'es2023',
    // The helper that preloads would run in the engine too, where there is no document.
    modulePreload: false,
    // A style as a data: address or a font inside a script would be against the page's own policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Page and engine are two entries of one build: what both use is one file, loaded once.
      input: { index: at('index.html'), engine: at('src/engine.ts'), 'schema-worker': at('src/mcp/schema-worker.ts') },
      output: {
        entryFileNames: ({ name }) => (name === 'index' ? 'assets/[name]-[hash].js' : 'assets/[name].js'),
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
})
