/**
 * Peak memory of one operation above the level before it, each in a process (a renderer) of its own. The
 * peak is the kernel's high-water mark, reset just before the operation, so nothing is missed between
 * samples. Linux only, and resetting the mark of a renderer needs the right to write its clear_refs.
 */
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { bundleForPage } from '../src/bundle.js'
import { launchChromium } from '../src/chrome.js'
import { startLoadServer } from '../src/load-server.js'
import { options } from '../src/options.js'
import { adapterPath, contestants, loadAdapters, peerIds } from '../src/peers.js'
import { writeResult } from '../src/results.js'
import { SCENARIOS, warmUp } from '../src/scenarios.js'
import { roundOrder, summary } from '../src/stats.js'

const CASES = ['list-5000-json', 'list-5000-sse', 'big-20m-json', 'big-20m-sse-1k', 'notify-b1000', 'notify-b1']

const self = fileURLToPath(import.meta.url)
const resetPeak = (pid) => fs.writeFileSync(`/proc/${pid}/clear_refs`, '5')
function megabytes(pid, field) {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)[1]) / 1024
}

if (process.argv[2] === 'child') await child(...process.argv.slice(3))
else await parent()
process.exit(0)

async function child(file, url, small, id) {
  const adapter = await import(pathToFileURL(file).href)
  const scenario = SCENARIOS.find((one) => one.id === id)
  await warmUp(adapter, small)
  const client = await adapter.connect(url, { era: '2025' })
  globalThis.gc()
  await new Promise((resolve) => setTimeout(resolve, 100))
  resetPeak(process.pid)
  const before = megabytes(process.pid, 'VmRSS')
  await scenario.run(adapter, client, scenario.n)
  process.stdout.write(String(megabytes(process.pid, 'VmHWM') - before))
}

async function parent() {
  const option = options()
  const rounds = Number(option.rounds)
  const ids = peerIds(option.peers)
  const entrants = contestants(await loadAdapters(ids), ['2025'])
  const server = await startLoadServer()
  const scenarios = []

  async function measure(where, sample) {
    for (const scenario of SCENARIOS.filter(({ id }) => CASES.includes(id))) {
      const urls = [
        server.endpoint('2025', scenario.server),
        server.endpoint('2025', { ...scenario.server, tools: 100 }),
      ]
      const samples = Object.fromEntries(entrants.map(({ id }) => [id, []]))
      for (let round = 0; round < rounds; round++)
        for (const { id } of roundOrder(entrants, round)) samples[id].push(await sample(id, urls, scenario.id))
      const rows = entrants.map((entrant) => ({ ...entrant, megabytes: summary(samples[entrant.id]) }))
      scenarios.push({ id: scenario.id, where, title: scenario.title, rows })
      console.log(
        `${where.padEnd(9)} ${scenario.id.padEnd(16)} ${rows.map(({ id, megabytes: { median } }) => `${id} ${median.toFixed(0)} MB`).join('  ')}`,
      )
    }
  }

  if (option.node) {
    const execute = promisify(execFile)
    const flags = ['--expose-gc', '--no-warnings', '--max-old-space-size=4096']
    await measure('Node', async (id, urls, scenario) => {
      const { stdout } = await execute(process.execPath, [...flags, self, 'child', adapterPath(id), ...urls, scenario])
      return Number(stdout)
    })
  }

  if (option.chrome) {
    await bundleForPage(ids)
    await measure('Chromium', async (id, [url, small], wanted) => {
      const browser = await launchChromium()
      const known = await browser.renderers()
      const page = await browser.openPage(`${server.origin}/static/blank.html`)
      await page.evaluate(
        async ({ id, url, small, wanted }) => {
          const adapter = await import(`/static/${id}/adapter.js`)
          const { SCENARIOS, warmUp } = await import('/static/scenarios.js')
          const scenario = SCENARIOS.find((one) => one.id === wanted)
          await warmUp(adapter, small)
          const client = await adapter.connect(url, { era: '2025' })
          globalThis.run = () => scenario.run(adapter, client, scenario.n)
        },
        { id, url, small, wanted },
      )
      await page.collectGarbage()
      const own = (await browser.renderers()).filter((pid) => !known.includes(pid)) // the page's, perhaps a spare one
      for (const pid of own) resetPeak(pid)
      const before = own.map((pid) => megabytes(pid, 'VmRSS'))
      await page.evaluate(() => globalThis.run().then(() => true))
      const extra = own.reduce((sum, pid, i) => sum + megabytes(pid, 'VmHWM') - before[i], 0)
      await browser.close()
      return extra
    })
  }

  await server.stop()
  writeResult('memory', { rounds, scenarios })
}
