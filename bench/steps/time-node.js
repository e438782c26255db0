/** The scenarios in Node: all contestants in one process. `cpu` is the CPU time of the process. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { interleave, printRows, rowsOf, STARTS } from '../src/interleave.js'
import { startLoadServer } from '../src/load-server.js'
import { named, options } from '../src/options.js'
import { contestants, entrantsOf, loadAdapters, peerIds } from '../src/peers.js'
import { quietly } from '../src/quiet.js'
import { writeResult } from '../src/results.js'
import { SCENARIOS } from '../src/scenarios.js'

const option = options()
const rounds = Number(option.rounds)
const adapters = await loadAdapters(peerIds(option.peers))
const all = contestants(adapters, option.era?.split(','))

if (option.start !== undefined) await measure(SCENARIOS.find(({ id }) => id === option.scenario))
else await measureAll()
process.exit(0)

async function measureAll() {
  const scenarios = []
  for (const scenario of SCENARIOS.filter(({ id }) => named(id, option.only))) {
    const { id, title, unit, bytes, n, peersOnly } = scenario
    const starts = []
    for (let start = 0; start < STARTS; start++)
      starts.push(await runChild(['--scenario', id, '--start', String(start)]))
    const rows = rowsOf(entrantsOf(adapters, all, scenario), n, starts)
    printRows({ title, unit }, rows)
    scenarios.push({ id, title, unit, bytes, peersOnly, rows })
  }
  writeResult('time-node', { runtime: `Node ${process.version}`, rounds, scenarios })
}

function runChild(args) {
  const child = fork(fileURLToPath(import.meta.url), [...process.argv.slice(2), ...args])
  return new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}`)))
  })
}

/** One start of one scenario; the parent gets the samples. */
async function measure(scenario) {
  // A child of this process, so that its work does not count as that of others.
  const server = await startLoadServer()
  const entrants = entrantsOf(adapters, all, scenario)
  const clients = {}
  const url = ({ era }) => server.endpoint(era, scenario.server)
  for (const entrant of scenario.fresh ? [] : entrants) {
    const { connect, listTools } = adapters[entrant.id]
    clients[entrant.key] = await connect(url(entrant), entrant)
    if (scenario.lists) await listTools(clients[entrant.key])
  }
  const measured = await interleave({
    warm: scenario.warm ?? 1,
    entrants,
    rounds: Math.ceil((rounds * (scenario.times ?? 1)) / STARTS),
    start: Number(option.start),
    undisturbed: quietly(),
    async block(entrant) {
      const adapter = adapters[entrant.id]
      // A full collection before a small block would drop optimised code: every client would look twice as slow.
      void globalThis.gc(scenario.settle ? undefined : { type: 'minor' })
      const cpuBefore = process.cpuUsage()
      const begin = performance.now()
      if (scenario.fresh) await scenario.run(adapter, url(entrant), entrant.era, scenario.n)
      else await scenario.run(adapter, clients[entrant.key], scenario.n)
      const wallMs = performance.now() - begin
      const { user, system } = process.cpuUsage(cpuBefore)
      return { wallMs, cpuMs: (user + system) / 1000 }
    },
  })
  for (const { id, key } of scenario.fresh ? [] : entrants) await adapters[id].close(clients[key])
  await server.stop()
  await new Promise((resolve) => process.send(measured, resolve))
}
