/**
 * Heap growth over many calls (after 5,000 to warm up: until then code is still being compiled) and over repeated
 * listings, each contestant in a process (a page) of its own, garbage collected before every reading. Also the
 * warnings that Node printed.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { bundleForPage } from '../src/bundle.js'
import { launchChromium } from '../src/chrome.js'
import { startLoadServer } from '../src/load-server.js'
import { options } from '../src/options.js'
import { adapterPath, contestants, loadAdapters, peerIds } from '../src/peers.js'
import { writeResult } from '../src/results.js'

const LISTS = 50
const self = fileURLToPath(import.meta.url)
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** `calls(n)`, `lists(n)` and `heap()` come from the process or the page under test. */
async function growth({ calls, lists, heap }, count) {
  await calls(5000)
  const before = await heap()
  for (let done = 0; done < count; done += 1000) await calls(1000)
  const after = await heap()
  await lists(5)
  const beforeLists = await heap()
  await lists(LISTS)
  return { bytesPerCall: (after - before) / count, bytesPerList: ((await heap()) - beforeLists) / LISTS }
}

if (process.argv[2] === 'child') await child(...process.argv.slice(3))
else await parent()
process.exit(0)

async function child(file, url, era, count) {
  const warnings = {}
  process.on('warning', ({ name }) => {
    warnings[name] = (warnings[name] ?? 0) + 1
  })
  const adapter = await import(pathToFileURL(file).href)
  const client = await adapter.connect(url, { era })
  const found = await growth(
    {
      async calls(n) {
        for (let i = 0; i < n; i++) await adapter.callTool(client, 'echo', { text: 'hello' })
      },
      async lists(n) {
        for (let i = 0; i < n; i++) await adapter.listTools(client)
      },
      async heap() {
        for (let i = 0; i < 4; i++) {
          globalThis.gc()
          await sleep(60) // finalizers run between tasks
        }
        return process.memoryUsage().heapUsed
      },
    },
    Number(count),
  )
  process.stdout.write(JSON.stringify({ ...found, warnings }))
}

async function parent() {
  const option = options()
  const calls = Number(option.calls)
  const ids = peerIds(option.peers)
  const all = contestants(await loadAdapters(ids))
  const server = await startLoadServer()
  const scenarios = []

  async function measure(where, sample) {
    for (const mode of ['json', 'sse']) {
      const rows = []
      for (const entrant of all) {
        const url = server.endpoint(entrant.era, { mode, tools: 100, out: 30 })
        const row = { ...entrant, ...(await sample(entrant, url)) }
        rows.push(row)
        console.log(
          `${where.padEnd(9)} ${mode.padEnd(4)} ${row.key.padEnd(17)} ${row.bytesPerCall.toFixed(1)} B per call, ${(row.bytesPerList / 1024).toFixed(1)} KB per listing ${JSON.stringify(row.warnings ?? {})}`,
        )
      }
      scenarios.push({ id: mode, where, rows })
    }
  }

  if (option.node) {
    const execute = promisify(execFile)
    await measure('Node', async ({ id, era }, url) => {
      const args = ['--expose-gc', '--no-warnings', self, 'child', adapterPath(id), url, era, String(calls)]
      return JSON.parse((await execute(process.execPath, args)).stdout)
    })
  }

  if (option.chrome) {
    await bundleForPage(ids)
    const browser = await launchChromium()
    await measure('Chromium', async ({ id, era }, url) => {
      const page = await browser.openPage(`${server.origin}/static/blank.html`)
      await page.evaluate(
        async ({ id, era, url }) => {
          const adapter = await import(`/static/${id}/adapter.js`)
          const client = await adapter.connect(url, { era })
          globalThis.calls = async (n) => {
            for (let i = 0; i < n; i++) await adapter.callTool(client, 'echo', { text: 'hello' })
          }
          globalThis.lists = async (n) => {
            for (let i = 0; i < n; i++) await adapter.listTools(client)
          }
        },
        { id, era, url },
      )
      const found = await growth(
        {
          calls: (n) => page.evaluate((n) => globalThis.calls(n), n),
          lists: (n) => page.evaluate((n) => globalThis.lists(n), n),
          async heap() {
            for (let i = 0; i < 3; i++) {
              await page.collectGarbage()
              await sleep(100)
            }
            return (await page.metrics()).heap
          },
        },
        calls,
      )
      await page.close()
      return found
    })
    await browser.close()
  }

  await server.stop()
  writeResult('leak', { calls, lists: LISTS, scenarios })
}
