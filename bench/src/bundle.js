/** esbuild: browser bundles of the adapters. */
import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { build } from 'esbuild'
import { BUNDLES, PEERS, ROOT } from './paths.js'
import { adapterPath, OURS } from './peers.js'
import { bytesBySource } from './source-map.js'

const BROWSER = {
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  logLevel: 'error',
  legalComments: 'none',
}

/** Connect, list, one call, close; the rest of a library is dropped, or split off where it is imported on demand. */
const sizeEntry = (id) => (id === OURS ? ownEntry : peerEntry(id))

const ownEntry = `
import { createMCPClient } from '../../../packages/mcp/dist/index.js'
const { url, era } = globalThis
const client = await createMCPClient({ transport: { type: 'http', url }, protocolVersionDiscovery: era !== '2025' })
console.log(await client.listTools(), await client.callTool({ name: 'echo', arguments: { text: 'hi' } }))
await client.close()`

const peerEntry = (id) => `
import { connect, listTools, callTool, close } from ${JSON.stringify(adapterPath(id))}
const client = await connect(globalThis.url, { era: globalThis.era })
console.log(await listTools(client), await callTool(client, 'echo', { text: 'hi' }))
await close(client)`

/** The same four deeds of ours, signed in with a window: a page that needs all of it. */
export const signInEntry = `
import { BrowserOAuthProvider, completeSignIn, createMCPClient } from '../../../packages/mcp/dist/oauth.js'
if (location.pathname === '/callback.html') await completeSignIn()
const authProvider = new BrowserOAuthProvider({ serverUrl: globalThis.url, redirectUrl: '/callback.html' })
const client = await createMCPClient({ transport: { type: 'http', url: globalThis.url, authProvider } })
console.log(await client.listTools(), await client.callTool({ name: 'echo', arguments: { text: 'hi' } }))
await client.close()`

/** All that an entry of ours exports, used or not. */
export const wholeEntry = (file) => `export * from '../../../packages/mcp/dist/${file}'`

/** What a connecting client fetches without waiting; the rest on demand is fetched by those who use it. */
const BACKGROUND = /^(on-demand|recovery)-/

/**
 * The bundle in `folder`, as files with minified bytes by original source. `initial` ones are what the entry imports,
 * directly or through others: they are loaded before its first line runs. `background` ones follow by themselves.
 */
export async function bundleForSize(id, folder, contents = sizeEntry(id), options = {}) {
  fs.rmSync(folder, { recursive: true, force: true })
  const { metafile } = await build({
    ...BROWSER,
    ...options,
    stdin: { contents, resolveDir: path.join(PEERS, id), loader: 'js' },
    absWorkingDir: path.dirname(ROOT),
    outdir: folder,
    splitting: true,
    metafile: true,
    sourcemap: 'external',
  })
  const { outputs } = metafile
  const files = Object.keys(outputs).filter((file) => file.endsWith('.js'))
  const reachedFrom = (isRoot) => {
    const reached = new Set(files.filter((file) => isRoot(path.basename(file))))
    for (const file of reached) {
      for (const { path: imported, kind, external } of outputs[file].imports)
        if (kind === 'import-statement' && !external) reached.add(imported)
    }
    return reached
  }
  const initial = reachedFrom((name) => name === 'stdin.js')
  const background = reachedFrom((name) => BACKGROUND.test(name))
  return files.map((name) => {
    const file = path.resolve(ROOT, '..', name)
    const map = JSON.parse(fs.readFileSync(`${file}.map`, 'utf8'))
    return {
      file,
      initial: initial.has(name),
      background: background.has(name) && !initial.has(name),
      sources: bytesBySource(fs.readFileSync(file, 'utf8'), map),
    }
  })
}

/** Each file as it travels, summed up. */
export function sizes(files) {
  const total = { files: files.length, raw: 0, gzip: 0, brotli: 0 }
  for (const file of files) {
    const code = fs.readFileSync(file)
    const brotli = { [zlib.constants.BROTLI_PARAM_QUALITY]: 11, [zlib.constants.BROTLI_PARAM_SIZE_HINT]: code.length }
    total.raw += code.length
    total.gzip += zlib.gzipSync(code, { level: 9 }).length
    total.brotli += zlib.brotliCompressSync(code, { params: brotli }).length
  }
  return total
}

/** Every adapter for the page as <id>/adapter.js and what that imports on demand, and the scenarios. */
export async function bundleForPage(ids) {
  for (const id of ids)
    await build({ ...BROWSER, entryPoints: [adapterPath(id)], outdir: path.join(BUNDLES, id), splitting: true })
  const scenarios = path.join(ROOT, 'src/scenarios.js')
  await build({ ...BROWSER, entryPoints: [scenarios], outfile: path.join(BUNDLES, 'scenarios.js') })
}

/** Every adapter as one file for Node. */
export async function bundleForNode(id) {
  const outfile = path.join(BUNDLES, 'node', `${id}.mjs`)
  const banner = { js: "import{createRequire as $$require}from'node:module';const require=$$require(import.meta.url);" }
  await build({ ...BROWSER, platform: 'node', target: 'node20', entryPoints: [adapterPath(id)], outfile, banner })
  return outfile
}
