// Builds the program, and what it is made of as a module. Our library is inside, the demo server stays a package of its own.
//   node build.mjs                 dist
//   node build.mjs --out <folder>  a folder of your own
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { rolldown } from 'rolldown'

const here = path.dirname(fileURLToPath(import.meta.url))
const out = path.resolve(here, parseArgs({ options: { out: { type: 'string' } } }).values.out ?? 'dist')
const bundle = await rolldown({
  input: { main: path.join(here, 'src/main.ts'), 'start-companion': path.join(here, 'src/start-companion.ts') },
  external: [/^node:/, /^@switchboard\/demo-server/],
  platform: 'node',
  cwd: here,
  resolve: { conditionNames: ['switchboard-source', 'node', 'import', 'default'] },
})
await bundle.write({ dir: out, format: 'esm', chunkFileNames: '[name].js', cleanDir: true })
await bundle.close()
