// The client as people use it in a browser console: the one-file build, a module script and no bundler.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RealServerName, type RealServers, startRealServers } from '@switchboard/testkit/real-servers'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../../../demo-server/test/demo.ts'
import { buildInto } from './pack-library.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchboard-console-'))
const page = (url: string) => `<!doctype html><title>Console</title>
<script type="module">
  import { MCPClient, MCPUtils, createMCPClient } from './switchboard-mcp.js'
  const said = []
  try {
    said.push(['revision', MCPUtils.getProtocolVersion()])
    const client = new MCPClient(${JSON.stringify(url)})
    const tools = await client.listTools()
    said.push(['names', tools.map(t => t.name)])
    said.push(['array', Array.isArray(tools), tools.length > 0, tools.tools === tools])
    said.push(['session', client.getSessionId(), client.getProtocolVersion()])
    const { text, isError } = await client.call(tools[0].name, {})
    said.push(['call', typeof text, typeof isError])
    await client.close()
    const other = await createMCPClient({ transport: { type: 'http', url: ${JSON.stringify(url)} } })
    const list = await other.listTools()
    said.push(['ai', Array.isArray(list), Object.keys(list).includes('tools'), list.tools.map(t => t.name)])
    await other.close()
  } catch (error) {
    said.push(['error', String(error), error.stack])
  }
  globalThis.said = said
</script>`

let url = ''
const site = createServer((request, response) => {
  const isPage = request.url === '/'
  response.setHeader('content-type', isPage ? 'text/html' : 'text/javascript')
  response.end(isPage ? page(url) : readFileSync(join(folder, 'switchboard-mcp.js')))
})
let browser: Browser
let servers: RealServers
const NAMES: RealServerName[] = ['everything', 'twoEras']

beforeAll(async () => {
  await buildInto(folder)
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  servers = await startRealServers(NAMES)
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  await servers?.stop()
  site.closeAllConnections()
  await new Promise((resolve) => site.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

test.each(NAMES)(
  '[C30] the console client lists, calls and closes in a page, with %s of the official SDK',
  async (name) => {
    url = servers.addresses[name]
    const tab = await browser.newPage()
    onTestFinished(() => tab.close())
    await tab.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
    const said = (await (await tab.waitForFunction('globalThis.said')).jsonValue()) as [string, ...unknown[]][]
    const names = said.find(([what]) => what === 'names')?.[1] as string[]
    expect(names).toContain('echo')
    const hasSession = name === 'everything'
    expect(said).toEqual([
      ['revision', '2026-07-28'],
      ['names', names],
      ['array', true, true, true],
      [
        'session',
        hasSession ? expect.stringMatching(/^[\w-]+$/) : undefined,
        expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      ],
      ['call', 'string', 'boolean'],
      ['ai', false, true, names],
    ])
  },
)
