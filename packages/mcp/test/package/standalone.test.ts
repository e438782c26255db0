import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Demo, launchChromium, startDemo } from '../../../demo-server/test/demo.ts'
import { buildInto } from './pack-library.ts'

const examples = fileURLToPath(new URL('../../examples/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'switchboard-standalone-'))
const singleFile = join(folder, 'switchboard-mcp.js')

/** A worker of either kind: does what it is told with a client of its own, and answers on the port it is given. */
const worker = `
import { createMCPClient } from './switchboard-mcp.js'
self.onmessage = async ({ data: url, ports: [answer] }) => {
  try {
    const client = await createMCPClient({ transport: { type: 'http', url } })
    const { tools } = await client.listTools()
    const { text } = await client.call('world_clock', { timeZone: 'Asia/Tokyo' })
    const { resources } = await client.listResources()
    const { contents } = await client.readResource({ uri: resources[0].uri })
    const set = await client.tools()
    const task = await client.startTask({ name: 'world_clock', arguments: { timeZone: 'Asia/Tokyo' } })
    const { content } = await task.result()
    await client.close()
    answer.postMessage([tools.length, text, contents.length, Object.keys(set).length, content[0].text])
  } catch (error) {
    answer.postMessage(String(error))
  }
}`

const files: Record<string, () => string> = {
  '/standalone.html': () => readFileSync(join(examples, 'standalone.html'), 'utf8'),
  '/empty.html': () => '<!doctype html><title>Empty</title>',
  '/switchboard-mcp.js': () => readFileSync(singleFile, 'utf8'),
  '/worker.js': () => worker,
}
let asked: string[] = []
const site = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname
  asked.push(path)
  const text = files[path]
  if (!text) return void response.writeHead(404).end()
  response.setHeader('content-type', path.endsWith('.html') ? 'text/html' : 'text/javascript')
  response.end(text())
})

let demo: Demo
let origin: string
let browser: Browser
beforeAll(async () => {
  await buildInto(folder)
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  demo = await startDemo({ allowedOrigins: [origin] })
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  await demo?.close()
  site.closeAllConnections()
  await new Promise((resolve) => site.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  asked = []
})

async function open(path: string): Promise<Page> {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.goto(`${origin}${path}?server=${encodeURIComponent(demo.mcpUrl)}`)
  return page
}

describe('the single file', () => {
  test('imports nothing, neither at once nor on demand', async () => {
    const { metafile } = await build({
      entryPoints: [singleFile],
      bundle: true,
      external: ['*'],
      format: 'esm',
      write: false,
      metafile: true,
    })
    expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([])
    expect(readFileSync(singleFile, 'utf8')).not.toMatch(/\bimport\s*\(/)
  })

  test('standalone.html connects, lists, calls and shows, without a bundler', async () => {
    const page = await open('/standalone.html')
    await page.getByRole('heading', { name: 'switchboard-demo' }).waitFor()
    expect(await page.getByLabel('Tool').locator('option').count()).toBe(10)

    await page.getByLabel('Tool').selectOption('world_clock')
    await page.getByText('Tells what time it is').waitFor()
    await page.getByLabel('Arguments').fill('{ "timeZone": "Asia/Tokyo" }')
    await page.getByRole('button', { name: 'Call' }).click()
    await page.getByText('In Asia/Tokyo it is').waitFor()

    await page.getByLabel('Tool').selectOption('draw_chart')
    await page.getByLabel('Arguments').fill('{ "values": [1, 2, 3] }')
    await page.getByRole('button', { name: 'Call' }).click()
    await page.getByText('A chart of 3 values').waitFor()
    const width = await page
      .locator('output img')
      .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))
    expect(width).toBeGreaterThan(0)
    expect(asked.filter((path) => path.endsWith('.js'))).toEqual(['/switchboard-mcp.js'])
  })

  test('standalone.html says what went wrong', async () => {
    const page = await open('/standalone.html')
    await page.getByRole('heading', { name: 'switchboard-demo' }).waitFor()
    await page.getByLabel('Tool').selectOption('fail_on_purpose')
    await page.getByRole('button', { name: 'Call' }).click()
    await page.getByText(/^(The tool failed|No answer): /).waitFor()
    await page.goto(`${origin}/standalone.html?server=${encodeURIComponent(`${origin}/no-such-server`)}`)
    expect(await page.getByRole('heading', { name: 'No connection' }).textContent()).toContain('404')
  })

  const deeds = [
    10,
    expect.stringContaining('In Asia/Tokyo it is'),
    1,
    10,
    expect.stringContaining('In Asia/Tokyo it is'),
  ]

  test('does all of it in a worker', async () => {
    const page = await open('/empty.html')
    const answer = await page.evaluate(async (server) => {
      const { port1, port2 } = new MessageChannel()
      const answered = new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)))
      new Worker('/worker.js', { type: 'module' }).postMessage(server, [port2])
      return answered
    }, demo.mcpUrl)
    expect(answer).toEqual(deeds)
  })

  test('does all of it in a service worker, where nothing can be imported later', async () => {
    const page = await open('/empty.html')
    const answer = await page.evaluate(async (server) => {
      const { port1, port2 } = new MessageChannel()
      const answered = new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)))
      await navigator.serviceWorker.register('/worker.js', { type: 'module' })
      const { active } = await navigator.serviceWorker.ready
      active?.postMessage(server, [port2])
      return answered
    }, demo.mcpUrl)
    expect(answer).toEqual(deeds)
  })
})
