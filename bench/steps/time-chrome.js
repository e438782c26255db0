/** The scenarios in Chromium: all contestants in one page. `cpu` is the busy time of the page's main thread. */
import { bundleForPage } from '../src/bundle.js'
import { launchChromium } from '../src/chrome.js'
import { startLoadServer } from '../src/load-server.js'
import { interleave, printRows, rowsOf, STARTS } from '../src/interleave.js'
import { named, options } from '../src/options.js'
import { contestants, entrantsOf, loadAdapters, peerIds } from '../src/peers.js'
import { quietly } from '../src/quiet.js'
import { writeResult } from '../src/results.js'
import { SCENARIOS } from '../src/scenarios.js'

const option = options()
const rounds = Number(option.rounds)
const undisturbed = quietly()
const ids = peerIds(option.peers)
await bundleForPage(ids)
const server = await startLoadServer()
const adapters = await loadAdapters(ids)
const all = contestants(adapters, option.era?.split(','))
const browser = await launchChromium()
const scenarios = []

for (const scenario of SCENARIOS.filter(({ id }) => named(id, option.only))) {
  const { id, title, unit, bytes, n, peersOnly } = scenario
  const entrants = entrantsOf(adapters, all, scenario).map((entrant) => ({
    ...entrant,
    url: server.endpoint(entrant.era, scenario.server),
    scenario: id,
  }))
  const starts = []
  for (let start = 0; start < STARTS; start++) starts.push(await measure(scenario, entrants, start))
  const rows = rowsOf(entrants, n, starts)
  printRows(scenario, rows)
  scenarios.push({ id, title, unit, bytes, peersOnly, rows })
}

/** One start of one scenario: a page, and so a renderer, of its own. */
async function measure(scenario, entrants, start) {
  const page = await browser.openPage(`${server.origin}/static/blank.html`)
  await page.evaluate(async (ids) => {
    globalThis.adapters = {}
    globalThis.clients = {}
    globalThis.scenarios = (await import('/static/scenarios.js')).SCENARIOS
    for (const id of ids) globalThis.adapters[id] = await import(`/static/${id}/adapter.js`)
  }, ids)
  for (const entrant of scenario.fresh ? [] : entrants) {
    await page.evaluate(
      async ({ entrant, lists }) => {
        const { connect, listTools } = globalThis.adapters[entrant.id]
        const client = await connect(entrant.url, entrant)
        globalThis.clients[entrant.key] = client
        if (lists) await listTools(client)
      },
      { entrant, lists: scenario.lists === true },
    )
  }
  const measured = await interleave({
    warm: scenario.warm ?? 1,
    entrants,
    rounds: Math.ceil((rounds * (scenario.times ?? 1)) / STARTS),
    start,
    undisturbed,
    async block(entrant) {
      if (scenario.settle) await page.collectGarbage()
      const before = await page.metrics()
      const wallMs = await page.evaluate(async ({ id, key, era, url, scenario: wanted }) => {
        const scenario = globalThis.scenarios.find((one) => one.id === wanted)
        const adapter = globalThis.adapters[id]
        const begin = performance.now()
        if (scenario.fresh) await scenario.run(adapter, url, era, scenario.n)
        else await scenario.run(adapter, globalThis.clients[key], scenario.n)
        return performance.now() - begin
      }, entrant)
      const after = await page.metrics()
      return { wallMs, cpuMs: after.busyMs - before.busyMs }
    },
  })
  await page.close()
  return measured
}

await browser.close()
await server.stop()
writeResult('time-chrome', { runtime: browser.version, rounds, scenarios })
process.exit(0)
