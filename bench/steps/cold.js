/**
 * Cold start, each sample in a fresh process or a fresh page. `import`: load, compile and evaluate the client.
 * `first result`: from the start of the process, or of the navigation, through import, connect and list to the result
 * of a call. Bare fetch has no client to import, so these rows are compared with the peers only. In Node from one
 * minified file and from modules on disk; in Chromium from loopback, also with a four times slower CPU.
 */
import { execFile } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { bundleForNode, bundleForPage } from '../src/bundle.js'
import { launchChromium } from '../src/chrome.js'
import { interleave, printRows, rowsOf } from '../src/interleave.js'
import { startLoadServer } from '../src/load-server.js'
import { options } from '../src/options.js'
import { adapterPath, contestants, loadAdapters, peerIds } from '../src/peers.js'
import { quietly } from '../src/quiet.js'
import { writeResult } from '../src/results.js'

const option = options()
const rounds = Number(option.rounds)
const undisturbed = quietly()
const ids = peerIds(option.peers)
const entrants = contestants(await loadAdapters(ids), ['2025'])
const server = await startLoadServer()
const url = server.endpoint('2025', { mode: 'json', tools: 20 })
const scenarios = []

async function measure(where, title, block) {
  const unit = 'start'
  const rows = rowsOf(entrants, 1, [await interleave({ warm: 1, entrants, rounds, undisturbed, block })])
  printRows({ title: `${where}: ${title}`, unit }, rows)
  scenarios.push({ id: title, where, title, unit, peersOnly: true, rows })
}

if (option.node) {
  const execute = promisify(execFile)
  const child = `
    const [file, url, whole] = process.argv.slice(1)
    const cpuBefore = process.cpuUsage()
    const begin = performance.now()
    const { connect, listTools, callTool } = await import(file)
    let wallMs = performance.now() - begin
    let { user, system } = process.cpuUsage(cpuBefore)
    if (whole === 'true') {
      const client = await connect(url, { era: '2025' })
      await listTools(client)
      await callTool(client, 'echo', { text: 'x' })
      wallMs = performance.now() // since the start of the process
      ;({ user, system } = process.cpuUsage())
    }
    process.stdout.write(JSON.stringify({ wallMs, cpuMs: (user + system) / 1000 }), () => process.exit(0))`
  const inNode = async (file, whole) => {
    const args = ['--input-type=module', '-e', child, pathToFileURL(file).href, url, String(whole)]
    return JSON.parse((await execute(process.execPath, args)).stdout)
  }
  const bundles = Object.fromEntries(await Promise.all(ids.map(async (id) => [id, await bundleForNode(id)])))
  await measure('Node', 'import, one file', ({ id }) => inNode(bundles[id], false))
  await measure('Node', 'import, modules', ({ id }) => inNode(adapterPath(id), false))
  await measure('Node', 'first result, one file', ({ id }) => inNode(bundles[id], true))
  await measure('Node', 'first result, modules', ({ id }) => inNode(adapterPath(id), true))
}

if (option.chrome) {
  await bundleForPage(ids)
  const browser = await launchChromium()
  const inPage = async (id, whole, slowdown) => {
    const page = await browser.openPage(`${server.origin}/static/blank.html`)
    if (slowdown > 1) await page.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    const before = await page.metrics()
    const query = new URLSearchParams({ id, ...(whole ? { url } : {}) })
    await page.send('Page.navigate', { url: `${server.origin}/static/start.html?${query}` })
    const wallMs = await page.evaluate(async () => {
      while (globalThis.started === undefined) await new Promise((resolve) => setTimeout(resolve, 5))
      return globalThis.started
    })
    const { busyMs } = await page.metrics()
    await page.close()
    return { wallMs, cpuMs: busyMs - before.busyMs }
  }
  for (const [slowdown, suffix] of [
    [1, ''],
    [4, ', 4 × slower CPU'],
  ]) {
    await measure('Chromium', `import${suffix}`, ({ id }) => inPage(id, false, slowdown))
    await measure('Chromium', `first result${suffix}`, ({ id }) => inPage(id, true, slowdown))
  }
  await browser.close()
}

await server.stop()
writeResult('cold', { rounds, scenarios })
process.exit(0)
