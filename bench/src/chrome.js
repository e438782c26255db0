/**
 * Headless Chromium over the CDP pipe, with no domain enabled that is not asked for: a test driver that
 * enables Network adds about a millisecond to every request and would drown what is measured here.
 */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { chromiumFlags, findChromium } from '../../scripts/chromium.mjs'

const FLAGS = [
  ...chromiumFlags,
  '--headless',
  '--disable-extensions',
  '--disable-default-apps',
  '--disable-breakpad',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--no-default-browser-check',
  '--mute-audio',
  '--remote-debugging-pipe',
]

export async function launchChromium() {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-bench-'))
  const executable = findChromium()
  if (executable === undefined)
    throw new Error('No Chromium found: npm test installs one, or name it in SWITCHBOARD_CHROMIUM')
  const child = spawn(executable, [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const waiting = new Map()
  let nextId = 1
  let parts = []
  const settle = ({ id, result, error }) => {
    const { resolve, reject, method } = waiting.get(id) ?? {}
    waiting.delete(id)
    if (error) reject?.(new Error(`${method}: ${error.message}`))
    else resolve?.(result)
  }
  child.stdio[4].on('data', (chunk) => {
    let from = 0
    for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, from)) {
      parts.push(chunk.subarray(from, at))
      settle(JSON.parse(Buffer.concat(parts).toString()))
      parts = []
      from = at + 1
    }
    if (from < chunk.length) parts.push(chunk.subarray(from))
  })
  child.stdio[3].on('error', () => {}) // the exit below tells what happened
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.once('exit', (code) => {
    for (const { reject, method } of waiting.values()) reject(new Error(`Chromium exited (${code}) during ${method}`))
  })

  const send = (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      const id = nextId++
      waiting.set(id, { resolve, reject, method })
      child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    })

  async function openPage(url) {
    const { browserContextId } = await send('Target.createBrowserContext')
    const { targetId } = await send('Target.createTarget', { url, browserContextId })
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
    const page = {
      send: (method, params) => send(method, params, sessionId),
      /** Runs `fn(argument)` in the page; the value must be JSON. */
      async evaluate(fn, argument) {
        const expression = `(${fn})(${JSON.stringify(argument) ?? 'undefined'})`
        const { result, exceptionDetails: thrown } = await page.send('Runtime.evaluate', {
          expression,
          awaitPromise: true,
          returnByValue: true,
        })
        if (thrown) throw new Error(`in page: ${thrown.exception?.description ?? thrown.text}`)
        return result.value
      },
      /** Busy time of the main thread so far in ms, and the JS heap in bytes. */
      async metrics() {
        const { metrics } = await page.send('Performance.getMetrics')
        const get = (name) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
        return { busyMs: get('TaskDuration') * 1000, heap: get('JSHeapUsedSize') }
      },
      collectGarbage: () => page.send('HeapProfiler.collectGarbage'),
      close: () => send('Target.disposeBrowserContext', { browserContextId }),
    }
    for (let i = 0; ; i++) {
      // Until the document is committed there is no context to evaluate in.
      const state = await page.evaluate(() => [location.href, document.readyState]).catch((error) => [String(error)])
      if (state[0] === url && state[1] === 'complete') break
      if (i > 500) throw new Error(`page did not load: ${state}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await page.send('Performance.enable')
    return page
  }

  const { product: version } = await send('Browser.getVersion')
  return {
    version,
    /** A page in a profile of its own: cold caches, its own renderer process. */
    openPage,
    /** Process ids of the renderers. */
    async renderers() {
      const { processInfo } = await send('SystemInfo.getProcessInfo')
      return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
    },
    async close() {
      send('Browser.close').catch(() => {})
      const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
      await gone
      clearTimeout(timer)
      fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
