import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { thirdPartyLicenses } from './third-party-licenses.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const entities = 'decode-named-character-reference'

const PROVIDERS = '?providers'

/**
 * Gives the AI SDK's providers, which are loaded when one is used, a zod of their own. With one zod for all, everything
 * that any provider uses of it would be in the file that the engine loads first: twice as much as the engine needs.
 */
const zodOfProviders: Plugin = {
  name: 'zod-of-providers',
  apply: 'build',
  enforce: 'pre',
  async resolveId(source, importer) {
    const isWithin = importer?.endsWith(PROVIDERS)
    const isEntered = importer?.includes('/@ai-sdk/') && /^zod(\/|$)/.test(source)
    if (!importer || !(isWithin || isEntered)) return
    const found = await this.resolve(source, importer.replace(PROVIDERS, ''), { skipSelf: true })
    return found && { ...found, id: found.id + PROVIDERS }
  },
}

const ENTRIES = new Map([
  [at('src/main.tsx'), 'page'],
  [at('src/engine.ts'), 'engine'],
  [at('src/oauth-callback.ts'), 'callback'],
  [at('src/mcp/schema-worker.ts'), 'schema'],
  [at('src/mcp/custom-tools/openapi-worker.ts'), 'openapi'],
])

const BACKGROUND = ['client/on-demand.ts', 'transport/recovery.ts'].map((part) => at(`../../packages/mcp/src/${part}`))

/** The library exports it beside what the engine needs at once. It is needed when somebody opens the screen of a tool. */
const LATER = at('../../packages/mcp/src/apps/read-app-resource.ts')

type Links = 'importers' | 'dynamicImporters'

/** All modules that reach one over these links, and itself. */
function importersOf(id: string, context: Rolldown.ChunkingContext, ...links: Links[]): Set<string> {
  const seen = new Set([id])
  for (const one of seen)
    for (const link of links) for (const importer of context.getModuleInfo(one)?.[link] ?? []) seen.add(importer)
  return seen
}

/** The entries from which a module is reached over these links. */
function entriesOf(id: string, context: Rolldown.ChunkingContext, ...links: Links[]): string[] {
  const seen = importersOf(id, context, ...links)
  return [...ENTRIES].flatMap(([entry, name]) => (seen.has(entry) ? [name] : []))
}

/**
 * What page and engine need as soon as they start is one file each, and one that they share. Otherwise every module that
 * something loaded on demand needs too would be a file of its own: eighty at the start, each packed without the others, and a
 * tenth larger together. What is of the engine alone is never loaded by the page, also not later.
 */
const atTheStart = [...ENTRIES].map((_, index) => ({
  debugName: `reached from ${index + 1}`,
  // What is reached from more of them is also needed by what is reached from fewer, and would go along with that.
  priority: index + 1,
  name(id: string, context: Rolldown.ChunkingContext) {
    const atOnce = entriesOf(id, context, 'importers')
    if (ENTRIES.has(id) || id === LATER || !(atOnce.includes('page') || atOnce.includes('engine'))) return null
    const all = entriesOf(id, context, 'importers', 'dynamicImporters')
    return all.length === index + 1 ? all.join('-') : null
  },
}))

/** What the library loads in the background when the first server is connected, in two parts: here always both. */
const inTheBackground = {
  debugName: 'in the background',
  name(id: string, context: Rolldown.ChunkingContext) {
    const seen = importersOf(id, context, 'importers')
    return BACKGROUND.some((part) => seen.has(part)) ? 'background' : null
  },
}

export default defineConfig({
  root: at('.'),
  // Served from any folder of any host.
  base: './',
  plugins: [react(), zodOfProviders, thirdPartyLicenses()],
  resolve: {
    conditions: ['switchboard-source', 'module', 'browser', 'development|production'],
    // For browsers it has a file that decodes by innerHTML: Trusted Types refuse that, and a text with &amp; would end the screen.
    alias: { [entities]: createRequire(import.meta.url).resolve(entities) },
  },
  build: {
    target: 'es2023',
    // The helper that preloads would run in the engine too, where there is no document.
    modulePreload: false,
    // A style as a data: address or a font inside a script would be against the page's own policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // A constant that two entries share would be a file of its own.
      optimization: { inlineConst: { mode: 'all', pass: 3 } },
      // Page and engine are two entries of one build: what both use is one file, loaded once.
      input: {
        index: at('index.html'),
        'oauth-callback': at('oauth/callback.html'),
        engine: at('src/engine.ts'),
        'schema-worker': at('src/mcp/schema-worker.ts'),
        'openapi-worker': at('src/mcp/custom-tools/openapi-worker.ts'),
      },
      output: {
        // Workers are started by name; what a page loads may be kept for ever, so its name has to change with it.
        entryFileNames: ({ name }) =>
          /^(engine|schema-worker|openapi-worker)$/.test(name) ? 'assets/[name].js' : 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
        codeSplitting: { groups: [...atTheStart, inTheBackground] },
      },
    },
  },
})
