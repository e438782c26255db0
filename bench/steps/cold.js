/**
 * Cold start, each sample in a fresh process or a fresh page. `import`: load, compile and evaluate the
 * client. `first result`: import, connect, list, one call. In Node from one minified file and from its
 * modules on disk; in Chromium from loopback, also with a four times slower CPU.
 */
import { execFile } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { bundleForNode, bundleForPage } from '../src/bundle.js'
import { launchChromium } from '../src/chrome.js'
import { interleave, printRows } from '../src/interleave.js'
import { startLoadServer } from '../src/load-server.js'
import { options } from '../src/options.js'
import { adapterPath, contestants, loadAdapters, peerIds } from '../src/peers.js'
import { quietly } from '../src/quiet.js'
import { writeResult } from '../src/results.js'

const option = options()
const rounds = Number(option.rounds)
const execute = promisify(execFile)
const undisturbed = quietly()
const ids = peerIds(option.peers)
const entrants = contestants(await loadAdapters(ids), ['2025'])
const server = await startLoadServer()
const url = server.endpoint('2025', { mode: 'json', tools: 20 })
const scenarios = []

async function measure(where, title, block) {
  const scenario = { id: title, title: `${where}: ${title}`, unit: 'start', n: 1, warm: 1 }
  const rows = await interleave({ scenario, entrants, rounds, undisturbed, block })
  printRows(scenario, rows)
  scenarios.push({ id: title, where, title, unit: scenario.unit, rows })
}

/** Runs in the child process and, as text, in the page. */
async function start(load, url, toResult) {
  const begin = performance.now()
  const { connect, listTools, callTool } = await load()
  if (toResult) {
    const client = await connect(url, { era: '2025' })
    await listTools(client)
    await callTool(client, 'echo', { text: 'x' })
  }
  return performance.now() - begin
}

if (option.node) {
  const child = `
    const [file, url, toResult] = process.argv.slice(1)
    const cpu = process.cpuUsage()
    const wallMs = await (${start})(() => import(file), url, toResult === 'true')
    const { user, system } = process.cpuUsage(cpu)
    process.stdout.write(JSON.stringify({ wallMs, cpuMs: (user + system) / 1000 }), () => process.exit(0))`
  const bundles = Object.fromEntries(await Promise.all(ids.map(async (id) => [id, await bundleForNode(id)])))
  const inNode = (file, toResult) =>
    execute(process.execPath, [
      '--input-type=module',
      '-e',
      child,
      pathToFileURL(file).href,
      url,
      String(toResult),
    ]).then(({ stdout }) => JSON.parse(stdout))
  await measure('Node', 'import, one file', ({ id }) => inNode(bundles[id], false))
  await measure('Node', 'import, modules', ({ id }) => inNode(adapterPath(id), false))
  await measure('Node', 'first result, one file', ({ id }) => inNode(bundles[id], true))
  await measure('Node', 'first result, modules', ({ id }) => inNode(adapterPath(id), true))
}

if (option.chrome) {
  await bundleForPage(ids)
  const browser = await launchChromium()
  const inPage = async (id, toResult, slowdown) => {
    const page = await browser.openPage(`${server.origin}/static/blank.html`)
    if (slowdown > 1) await page.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    const before = await page.metrics()
    const wallMs = await page.evaluate(
      `async ({ id, url, toResult }) => {
        await fetch('/static/blank.html') // the connection exists in every case
        return (${start})(() => import('/static/' + id + '/adapter.js'), url, toResult)
      }`,
      { id, url, toResult },
    )
    const { busyMs } = await page.metrics()
    await page.close()
    return { wallMs, cpuMs: busyMs - before.busyMs }
  }
  await measure('Chromium', 'import', ({ id }) => inPage(id, false, 1))
  await measure('Chromium', 'first result', ({ id }) => inPage(id, true, 1))
  await measure('Chromium', 'import, 4 × slower CPU', ({ id }) => inPage(id, false, 4))
  await measure('Chromium', 'first result, 4 × slower CPU', ({ id }) => inPage(id, true, 4))
  await browser.close()
}

await server.stop()
writeResult('cold', { rounds, scenarios })
process.exit(0)
