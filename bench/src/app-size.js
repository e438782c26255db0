/** The built app, by when its files are loaded. */
import fs from 'node:fs'
import path from 'node:path'
import { build } from 'vite'
import { RESULTS, ROOT } from './paths.js'

/** What the library fetches without waiting while the demo server is connected to. */
const BACKGROUND = /packages\/mcp\/src\/.*\b(on-demand|recovery)\.ts$/

/**
 * JavaScript that the page and its engine load until a new chat is on the screen and nothing is loaded any more: both
 * entries, what they import, and what follows by itself. That nothing else is loaded is a test in e2e/first-load.spec.ts.
 */
export async function appFirstLoad() {
  const web = path.resolve(ROOT, '../apps/web')
  const outDir = path.join(RESULTS, 'size', 'app')
  await build({
    configFile: path.join(web, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true, manifest: 'manifest.json' },
  })
  const manifest = JSON.parse(fs.readFileSync(path.join(outDir, 'manifest.json'), 'utf8'))
  const first = new Set(['index.html', 'src/engine.ts', ...Object.keys(manifest).filter((key) => BACKGROUND.test(key))])
  for (const key of first) for (const imported of manifest[key].imports ?? []) first.add(imported)
  const files = Object.keys(manifest).filter((key) => manifest[key].file.endsWith('.js'))
  const paths = (keys) => keys.map((key) => path.join(outDir, manifest[key].file))
  return { first: paths(files.filter((key) => first.has(key))), later: paths(files.filter((key) => !first.has(key))) }
}
