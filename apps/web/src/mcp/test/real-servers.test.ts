import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { type RealServers, startRealServers } from '@switchboard/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failureFrom, scenario, serverRecord } from './scenario.ts'

let real: RealServers
let demo: { url: string; close(): Promise<void> }

interface DemoEndpoint {
  fetch(request: Request): Promise<Response>
  setOrigin(origin: string): void
  close(): Promise<void>
}

/** The demo server on a port of its own, as the companion has it on its. */
async function startDemo() {
  const { createDemoEndpoint } = (await import(
    new URL('../../../../../packages/demo-server/src/demo-endpoint.mjs', import.meta.url).href
  )) as { createDemoEndpoint(): DemoEndpoint }
  const endpoint = createDemoEndpoint()
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
    const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)])
    const abort = new AbortController()
    outgoing.on('close', () => abort.abort())
    const response = await endpoint.fetch(
      new Request(`http://localhost${incoming.url}`, {
        method: incoming.method!,
        headers,
        signal: abort.signal,
        ...body,
      }),
    )
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    if (response.body)
      Readable.fromWeb(response.body as never)
        .on('error', () => {})
        .pipe(outgoing)
    else outgoing.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/demo/mcp`,
    async close() {
      await endpoint.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

beforeAll(async () => {
  ;[real, demo] = await Promise.all([startRealServers(['everything', 'everythingSse', 'twoEras']), startDemo()])
})
afterAll(() => Promise.all([real.stop(), demo.close()]))

describe('the demo server', () => {
  test('gives its tools, runs one, and passes the test of a connection', async () => {
    await using app = await scenario([serverRecord('demo', demo.url, { name: 'Demo tools' })])
    const { tools, missing } = await app.offers(['demo'])
    expect(missing).toEqual([])
    const names = tools.map(({ modelName }) => modelName)
    expect(names).toContain('demo_tools__forecast')
    const forecast = tools.find(({ toolName }) => toolName === 'forecast')
    const outcome = await app.call(forecast!, { city: 'Oslo', days: 2 }, { id: 'one' })
    expect(outcome).toMatchObject({ isError: false })
    expect(outcome).not.toHaveProperty('failure')
    expect(outcome.structuredContent).toBeDefined()
    expect(app.mcp.rawMessages('one').map(({ direction }) => direction)).toEqual(['sent', 'received'])
    const report = await app.mcp.testServer({ server: serverRecord('', demo.url), secrets: {} })
    expect(report.steps.every(({ outcome: step }) => step === 'ok')).toBe(true)
    expect(report.found).toMatchObject({ title: 'Switchboard demo', tools: expect.any(Array) })
  })

  test('tells the progress of a long one', async () => {
    await using app = await scenario([serverRecord('demo', demo.url)])
    const { tools } = await app.offers(['demo'])
    const backup = tools.find(({ toolName }) => toolName === 'make_backup')
    const heard: number[] = []
    const args = { files: 3 }
    await app.call(backup!, args, { onProgress: ({ progress }) => heard.push(progress), id: 'long' })
    expect(heard.length).toBeGreaterThan(0)
  })

  test('refuses arguments that do not fit before they are sent', async () => {
    await using app = await scenario([serverRecord('demo', demo.url)])
    const { tools } = await app.offers(['demo'])
    const forecast = tools.find(({ toolName }) => toolName === 'forecast')
    expect(await failureFrom(app.call(forecast!, { city: 7 }))).toMatchObject({ code: 'bad-arguments' })
  })
})

describe.each(['everything', 'everythingSse', 'twoEras'] as const)('%s', (name) => {
  test('gives its tools, all of them usable, and runs one', async () => {
    await using app = await scenario([serverRecord('a', real.addresses[name], { timeoutSeconds: 30 })])
    const { tools, missing } = await app.offers(['a'])
    expect(missing).toEqual([])
    expect(tools.length).toBeGreaterThan(0)
    await app.until(() => app.learnt.length > 0)
    expect(app.servers.get('a')?.found?.tools.filter(({ problem }) => problem !== undefined)).toEqual([])
    const echo = tools.find(({ toolName }) => toolName === 'echo')
    expect(echo).toBeDefined()
    const property = Object.keys(echo?.inputSchema['properties'] ?? {})[0] ?? 'message'
    const outcome = await app.call(echo!, { [property]: 'hello there' })
    expect(JSON.stringify(outcome.content)).toContain('hello there')
  })

  test('passes the test of a connection', async () => {
    await using app = await scenario([])
    const report = await app.mcp.testServer({
      server: serverRecord('', real.addresses[name], { timeoutSeconds: 30 }),
      secrets: {},
    })
    expect(report.failure).toBeUndefined()
    expect(report.found?.tools.length).toBeGreaterThan(0)
  })
})
