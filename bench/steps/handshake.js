/**
 * What a session of connect + list + 1 call + close sends: requests, bytes (request line, headers, body) and
 * the sequential round trips until the call's result, found by giving every answer a delay and dividing.
 * Counts, not timings: one run is enough.
 */
import { bundleForPage } from '../src/bundle.js'
import { launchChromium } from '../src/chrome.js'
import { startLoadServer } from '../src/load-server.js'
import { options } from '../src/options.js'
import { contestants, loadAdapters, peerIds } from '../src/peers.js'
import { writeResult } from '../src/results.js'

const option = options()
const DELAY_MS = 150
const ids = peerIds(option.peers)
const adapters = await loadAdapters(ids)
const server = await startLoadServer()
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Runs in Node and, as text, in the page. */
async function session(adapter, url, era) {
  const start = performance.now()
  const client = await adapter.connect(url, { era })
  const connectMs = performance.now() - start
  await adapter.listTools(client)
  await adapter.callTool(client, 'echo', { text: 'hi' })
  const resultMs = performance.now() - start
  await adapter.close(client)
  return { connectMs, resultMs }
}

async function measure(era, config, run) {
  const takeLog = server.log()
  await run(server.endpoint(era, config))
  await sleep(DELAY_MS)
  const log = await takeLog()
  const { connectMs, resultMs } = await run(server.endpoint(era, { ...config, delay: DELAY_MS }))
  await sleep(DELAY_MS * 3)
  return {
    requests: log.length,
    preflights: log.filter(({ http }) => http === 'OPTIONS').length,
    bytes: log.reduce((sum, { headerBytes, bodyBytes }) => sum + headerBytes + bodyBytes, 0),
    sequence: log.map(({ http, rpc }) => (http === 'POST' ? rpc : http)),
    roundTripsToConnect: Math.floor(connectMs / DELAY_MS),
    roundTripsToResult: Math.floor(resultMs / DELAY_MS),
  }
}

const rows = []
const print = (row) =>
  console.log(
    `${row.where.padEnd(22)} ${row.key.padEnd(17)} ${row.requests} requests, ${row.bytes} bytes, round trips ${row.roundTripsToConnect} / ${row.roundTripsToResult}: ${row.sequence.join(' → ')}`,
  )

if (option.node) {
  for (const { key, id, era } of contestants(adapters)) {
    const row = { where: 'Node', key, id, era, ...(await measure(era, {}, (url) => session(adapters[id], url, era))) }
    rows.push(row)
    print(row)
  }
}
if (option.chrome) {
  await bundleForPage(ids)
  const browser = await launchChromium()
  const inPage = `async ({ id, url, era }) => (${session})(await import('/static/' + id + '/adapter.js'), url, era)`
  for (const { key, id, era } of contestants(adapters)) {
    // `localhost` is another origin than 127.0.0.1, so that these requests are preflighted.
    const origins = [
      { where: 'Chromium', origin: server.origin, config: {} },
      { where: 'Chromium, cross-origin', origin: `http://localhost:${server.port}`, config: { maxage: '7200' } },
    ]
    for (const { where, origin, config } of origins) {
      const page = await browser.openPage(`${origin}/static/blank.html`)
      const row = {
        where,
        key,
        id,
        era,
        ...(await measure(era, config, (url) => page.evaluate(inPage, { id, url, era }))),
      }
      await page.close()
      rows.push(row)
      print(row)
    }
  }
  await browser.close()
}

await server.stop()
writeResult('handshake', { rows })
process.exit(0)
