/**
 * Browser bundle of connect + list + call + close: esbuild, minified, ESM, split where the code imports on demand.
 * What is compared and bounded is what a page loads before it can do these four; ours must do them with nothing else.
 * Then every entry of ours: as its page needs it, whole, and in one file. Then the first load of the app.
 *   npm run size               ours and the peers (installed when missing)
 *   node bench/size.mjs --own  ours only
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { appFirstLoad } from './src/app-size.js'
import { bundleForSize, signInEntry, sizes, wholeEntry } from './src/bundle.js'
import { buildOwn, installPeers } from './src/install-peers.js'
import { startLoadServer } from './src/load-server.js'
import { options } from './src/options.js'
import { OWN_ENTRY, RESULTS } from './src/paths.js'
import { dependencies, OURS, peerIds } from './src/peers.js'
import { table } from './src/tables.js'

const LIMIT_BYTES = 14_000
const ONE_FILE_LIMIT_BYTES = 40_000
const WITH_OAUTH_LIMIT_BYTES = 48_000
const APP_LIMIT_BYTES = 230_000
/** Files of the core that a program with its own transport gets from the main entry, if at all. */
const ON_DEMAND = ['*/on-demand.js', '*/recovery.js', '*/tasks.js']

const option = options()
const ids = option.own ? [OURS] : peerIds(option.peers)
buildOwn()
if (!option.own) installPeers(ids)

const bytes = (value) => value.toLocaleString('en')
const labels = { limit: 'bare fetch', [OURS]: '@switchboard/mcp' }
const label = (id) =>
  labels[id] ??
  Object.entries(dependencies(id))
    .map((pair) => pair.join(' '))
    .join(', ')

const measured = []
for (const id of ids) {
  const files = await bundleForSize(id, path.join(RESULTS, 'size', id))
  const [initial, later] = [true, false].map((wanted) => files.filter(({ initial }) => initial === wanted))
  const pathsOf = (list) => list.map(({ file }) => file)
  measured.push({ id, initial, ...sizes(pathsOf(initial)), later: sizes(pathsOf(later)), files })
}
const own = measured.find(({ id }) => id === OURS)

console.log('Browser bundle of connect + list + call + close (bytes)\n')
console.log(
  table(
    ['client', 'files', 'minified', 'gzip -9', 'brotli', ...(own ? ['gzip ÷ ours'] : []), 'on demand, gzip'],
    measured.map(({ id, initial, raw, gzip, brotli, later }) => [
      label(id),
      initial.length,
      bytes(raw),
      bytes(gzip),
      bytes(brotli),
      ...(own ? [(gzip / own.gzip).toFixed(2)] : []),
      later.files === 0 ? '–' : `${bytes(later.gzip)} in ${later.files}`,
    ]),
  ),
)

if (own) {
  const rows = own.files.flatMap(({ initial, sources }) =>
    sources
      .filter(([, size]) => size > 0)
      .map(([source, size]) => [source.replace(/.*packages\/mcp\/src\//, '').replace(/^(\.\.\/)+/, ''), size, initial]),
  )
  rows.sort((a, b) => Number(b[2]) - Number(a[2]) || b[1] - a[1])
  console.log('Ours by source file (minified bytes)\n')
  console.log(
    table(
      ['file', 'at once', 'on demand'],
      rows.map(([source, size, initial]) => (initial ? [source, bytes(size), ''] : [source, '', bytes(size)])),
    ),
  )
  await proveComplete(own.initial.map(({ file }) => file))
  const signIn = await bundleForSize(OURS, path.join(RESULTS, 'size', 'sign-in'), signInEntry)
  await printEntries(own.files, signIn)
  console.log(`${bytes(own.gzip)} bytes of at most ${bytes(LIMIT_BYTES)} for connect + list + call + close.`)
  hold('The bundle', own.gzip, LIMIT_BYTES)
  const oneFile = sizes([path.join(path.dirname(OWN_ENTRY), 'switchboard-mcp.js')]).gzip
  console.log(
    `${bytes(oneFile)} bytes of at most ${bytes(ONE_FILE_LIMIT_BYTES)} for everything but OAuth, in one file.`,
  )
  hold('The one-file build', oneFile, ONE_FILE_LIMIT_BYTES)
  const { gzip } = sizes(signIn.filter(({ initial }) => initial).map(({ file }) => file))
  console.log(
    `${bytes(gzip)} bytes of at most ${bytes(WITH_OAUTH_LIMIT_BYTES)} with OAuth and the provider for browsers.`,
  )
  hold('The bundle with OAuth', gzip, WITH_OAUTH_LIMIT_BYTES)
  await printApp()
}

/** Each entry of ours, by when its files are loaded. */
async function printEntries(fourDeeds, signIn) {
  const dist = path.dirname(OWN_ENTRY)
  const whole = (name, options) =>
    bundleForSize(OURS, path.join(RESULTS, 'size', `whole-${name}`), wholeEntry(`${name}.js`), options)
  const single = path.join(dist, 'switchboard-mcp.js')
  const entries = [
    ['@switchboard/mcp: connect, list, call, close', fourDeeds],
    ['@switchboard/mcp: every name', await whole('index')],
    ['@switchboard/mcp/oauth: the four, and signing in with a window', signIn],
    ['@switchboard/mcp/oauth: every name', await whole('oauth')],
    ['@switchboard/mcp/standalone: everything in one file', [{ file: single, initial: true }]],
    ['@switchboard/mcp/stdio: not for browsers', await whole('stdio', { platform: 'node', external: ON_DEMAND })],
  ]
  const gzip = (files) => (files.length === 0 ? '–' : bytes(sizes(files.map(({ file }) => file)).gzip))
  console.log('Ours by entry (bytes, gzip -9)\n')
  console.log(
    table(
      ['entry', 'at once', 'in the background', 'when it is used'],
      entries.map(([what, files]) => [
        what,
        gzip(files.filter(({ initial }) => initial)),
        gzip(files.filter(({ background }) => background)),
        gzip(files.filter(({ initial, background }) => !initial && !background)),
      ]),
    ),
  )
}

/** What the app loads before anything is asked of it, file by file. */
async function printApp() {
  const { first, later } = await appFirstLoad()
  const { gzip } = sizes(first)
  const rows = first.map((file) => [path.basename(file), sizes([file])]).sort((a, b) => b[1].gzip - a[1].gzip)
  console.log('\nFirst load of the app, page and engine (bytes)\n')
  console.log(
    table(
      ['file', 'minified', 'gzip -9'],
      rows.map(([name, size]) => [name, bytes(size.raw), bytes(size.gzip)]),
    ),
  )
  console.log(
    `${bytes(gzip)} bytes of at most ${bytes(APP_LIMIT_BYTES)}; ${bytes(sizes(later).gzip)} when they are used.`,
  )
  hold('The first load of the app', gzip, APP_LIMIT_BYTES)
}

function hold(what, size, limit) {
  if (size <= limit) return
  console.error(`${what} is ${bytes(size - limit)} bytes above its limit.`)
  process.exitCode = 1
}

/** Runs the four deeds, in both eras, where the files that come on demand are missing: nothing may need them. */
async function proveComplete(files) {
  const folder = path.join(RESULTS, 'size', 'initial-only')
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  for (const file of files) fs.copyFileSync(file, path.join(folder, path.basename(file)))
  const server = await startLoadServer()
  for (const era of ['2025', '2026']) {
    const given = JSON.stringify({ url: server.endpoint(era, { mode: 'sse' }), era })
    const setup = `data:text/javascript,${encodeURIComponent(`Object.assign(globalThis, ${given})`)}`
    const { stdout, stderr } = spawnSync(process.execPath, ['--import', setup, 'stdin.js'], {
      cwd: folder,
      encoding: 'utf8',
    })
    if (stdout.includes('hello')) continue
    console.error(`The first files alone do not connect, list, call and close in era ${era}:\n${stderr}${stdout}`)
    process.exitCode = 1
  }
  await server.stop()
}
