/** The scenarios in Node: all contestants in one process. `cpu` is the CPU time of the process. */
import { startLoadServer } from '../src/load-server.js'
import { interleave, printRows } from '../src/interleave.js'
import { named, options } from '../src/options.js'
import { contestants, loadAdapters, peerIds } from '../src/peers.js'
import { quietly } from '../src/quiet.js'
import { writeResult } from '../src/results.js'
import { SCENARIOS } from '../src/scenarios.js'

const option = options()
const rounds = Number(option.rounds)
const undisturbed = quietly()
const server = await startLoadServer()
const adapters = await loadAdapters(peerIds(option.peers))
const all = contestants(adapters, option.era?.split(','))
const scenarios = []

for (const scenario of SCENARIOS.filter(({ id }) => named(id, option.only))) {
  const entrants = all.filter(({ era }) => scenario.eras?.includes(era) ?? true)
  const clients = {}
  const url = ({ era }) => server.endpoint(era, scenario.server)
  for (const entrant of scenario.fresh ? [] : entrants) {
    const { connect, listTools } = adapters[entrant.id]
    clients[entrant.key] = await connect(url(entrant), entrant)
    if (scenario.lists) await listTools(clients[entrant.key])
  }
  const rows = await interleave({
    scenario,
    entrants,
    rounds: rounds * (scenario.times ?? 1),
    undisturbed,
    async block(entrant) {
      const adapter = adapters[entrant.id]
      // A full collection before a small block would drop optimised code: every client would look twice as slow.
      globalThis.gc(scenario.settle ? undefined : { type: 'minor' })
      const cpuBefore = process.cpuUsage()
      const start = performance.now()
      if (scenario.fresh) await scenario.run(adapter, url(entrant), entrant.era, scenario.n)
      else await scenario.run(adapter, clients[entrant.key], scenario.n)
      const wallMs = performance.now() - start
      const { user, system } = process.cpuUsage(cpuBefore)
      return { wallMs, cpuMs: (user + system) / 1000 }
    },
  })
  for (const { id, key } of scenario.fresh ? [] : entrants) await adapters[id].close(clients[key])
  printRows(scenario, rows)
  scenarios.push({ id: scenario.id, title: scenario.title, unit: scenario.unit, bytes: scenario.bytes, rows })
}

await server.stop()
writeResult('time-node', { runtime: `Node ${process.version}`, rounds, scenarios })
process.exit(0)
