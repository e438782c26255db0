/**
 * Speed and memory against bare fetch and against peers, in Node and in Chromium.
 *   npm run bench -- [--quick] [--node | --chrome] [--only connect,big-*,memory] [--peers sdk2,switchboard]
 *                    [--era 2025] [--rounds 12] [--strict]
 * Scenarios are listed in src/scenarios.js; further rows: cold, memory, leak, handshake.
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { buildOwn, installPeers } from './src/install-peers.js'
import { named, options } from './src/options.js'
import { RESULTS, ROOT } from './src/paths.js'
import { peerIds } from './src/peers.js'
import { forgetResults, readResult } from './src/results.js'
import { SCENARIOS } from './src/scenarios.js'
import { tables, verdictTable } from './src/tables.js'
import { verdictRows } from './src/verdict.js'

const option = options()
const KNOWN = ['quick', 'node', 'chrome', 'only', 'peers', 'era', 'rounds', 'strict']
for (const name of Object.keys(option)) {
  if (!KNOWN.includes(name)) throw new TypeError(`Unknown option --${name}: there are --${KNOWN.join(', --')}`)
}
const inNode = Boolean(option.node) || !option.chrome
const inChrome = Boolean(option.chrome) || !option.node
const pass = Object.entries(option).flatMap(([name, value]) =>
  ['only', 'peers', 'era'].includes(name) ? [`--${name}`, value] : [],
)
const where = [...(inNode ? ['--node'] : []), ...(inChrome ? ['--chrome'] : [])]
const rounds = (normal, quick) => ['--rounds', String(option.rounds ?? (option.quick ? quick : normal))]
const timed = SCENARIOS.some(({ id }) => named(id, option.only))

const STEPS = [
  ['time-node', timed && inNode, rounds(12, 4)],
  ['time-chrome', timed && inChrome, rounds(10, 2)],
  ['cold', named('cold', option.only), rounds(12, 4)],
  ['memory', named('memory', option.only) && process.platform === 'linux', rounds(5, 1)],
  ['leak', named('leak', option.only), ['--calls', option.quick ? '3000' : '10000']],
  ['handshake', named('handshake', option.only), []],
].filter(([, wanted]) => wanted)
if (STEPS.length === 0) throw new TypeError(`--only ${option.only} names no row: see src/scenarios.js`)

buildOwn()
installPeers(peerIds(option.peers))
forgetResults()
let failed = false
for (const [name, , args] of STEPS) {
  console.log(`\n=== ${name}`)
  const script = path.join(ROOT, 'steps', `${name}.js`)
  const flags = ['--expose-gc', '--no-warnings', '--max-old-space-size=8192']
  const { status, signal } = spawnSync(process.execPath, [...flags, script, ...pass, ...where, ...args], {
    stdio: 'inherit',
  })
  if (status === 0) continue
  failed = true
  console.error(`${name} failed (${status ?? signal})`)
}

const results = {
  node: readResult('time-node'),
  chrome: readResult('time-chrome'),
  cold: readResult('cold'),
  memory: readResult('memory'),
  leak: readResult('leak'),
  handshake: readResult('handshake'),
}
const verdict = verdictRows(results)
fs.writeFileSync(path.join(RESULTS, 'tables.md'), tables(results, verdict))
console.log(`\n${verdictTable(verdict)}`)
const broken = verdict.filter((row) => row.verdict.startsWith('BROKEN'))
const unclear = verdict.filter((row) => row.verdict === 'unclear')
console.log(
  `${verdict.length} rows: ${broken.length} broken, ${unclear.length} unclear. All tables: bench/results/tables.md`,
)
if (failed || (option.strict && broken.length > 0)) process.exitCode = 1
