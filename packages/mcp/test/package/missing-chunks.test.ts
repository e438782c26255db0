import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Library from '@switchboard/mcp'
import type { MCPError } from '@switchboard/mcp'
import { type Exchange, startFaultServer } from '@switchboard/testkit/fault-server'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildInto } from './pack-library.ts'

// A page whose network fails after the first file has loaded, or whose server has a newer version of the others.

const folder = mkdtempSync(join(tmpdir(), 'switchboard-chunks-'))
let library: typeof Library
beforeAll(async () => {
  await buildInto(folder)
  const kept = ['index.js', 'core.js', 'errors.js', 'src.js']
  for (const name of readdirSync(folder)) if (name.endsWith('.js') && !kept.includes(name)) rmSync(join(folder, name))
  library = (await import(pathToFileURL(join(folder, 'index.js')).href)) as typeof Library
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function connect(onRequest?: (exchange: Exchange) => void) {
  const server = await startFaultServer({ getStream: false })
  const client = await library.createMCPClient({
    transport: { type: 'http', url: server.url },
    protocolVersionDiscovery: false,
  })
  onTestFinished(async () => {
    await client.close()
    await server.close()
  })
  server.onRequest = onRequest
  const failureOfCall = (options?: Library.RequestOptions): Promise<MCPError> =>
    client.callTool({ name: 'echo', arguments: { mark: 'x' }, options }).then(
      () => expect.unreachable('the call should fail'),
      (error: unknown) => error as MCPError,
    )
  return { client, server, failureOfCall }
}

const stallCall = (exchange: Exchange): void => {
  if (exchange.method === 'tools/call') exchange.stall()
}

describe('with only the first file loaded', () => {
  it('[X7] a plain call works', async () => {
    const { client } = await connect()
    expect(await client.callTool({ name: 'echo', arguments: { mark: 'works' } })).toMatchObject({
      content: [{ text: 'works' }],
    })
  })

  it.each<[string, (exchange: Exchange) => void, Partial<MCPError>, string]>([
    ['a dropped connection', (exchange) => exchange.drop(), { reason: 'network', lost: true }, 'got no answer'],
    ['an HTTP error', (exchange) => exchange.send(500), { reason: 'http', statusCode: 500 }, 'HTTP 500'],
    ['a missing token', (exchange) => exchange.send(401), { reason: 'unauthorized', statusCode: 401 }, 'HTTP 401'],
    [
      'a JSON-RPC error',
      (exchange) => exchange.json(exchange.failure(-32602, 'Tool echo not found')),
      { reason: 'rpc', code: -32602 },
      'Tool echo not found',
    ],
    [
      'a page',
      (exchange) => exchange.send(200, { 'content-type': 'text/html' }, '<html>'),
      { reason: 'network', lost: true },
      'was answered without a result',
    ],
    ['a stream that ends early', (exchange) => exchange.stream().end(), { reason: 'network', lost: true }, 'a result'],
  ])('[X7] %s fails with its own message', async (_name, answer, expected, text) => {
    const { server, failureOfCall } = await connect((exchange) => {
      if (exchange.method === 'tools/call') answer(exchange)
    })
    const error = await failureOfCall()
    expect(error).toMatchObject(expected)
    expect(error.message).toContain('tools/call echo at http://')
    expect(error.message).toContain(text)
    expect(server.ledger.count('tools/call')).toBe(1)
  })

  it('[X7] a time-out fails with its own message', async () => {
    const { failureOfCall } = await connect(stallCall)
    expect((await failureOfCall({ timeout: 50 })).message).toMatch(/^tools\/call echo at .* had no answer after/)
  })

  it('[X7] a pending call ends with a message when the client is closed', async () => {
    const { client, server, failureOfCall } = await connect(stallCall)
    const failure = failureOfCall()
    await server.ledger.until(() => server.ledger.count('tools/call') === 1, 'the call')
    await client.close()
    expect((await failure).reason).toBe('closed')
    expect((await failure).message).toContain('the client is closed')
  })

  it('[X7] what needs another file says that it could not be loaded, and sends nothing', async () => {
    const { client, server } = await connect()
    const sent = server.ledger.entries.length
    const error = await client.listResources().then(
      () => undefined,
      (reason: unknown) => reason as MCPError,
    )
    expect(library.isMCPError(error)).toBe(true)
    expect(error?.message).toBe('was not sent: a part of @switchboard/mcp could not be loaded')
    expect(error?.cause).toBeInstanceOf(Error)
    expect(server.ledger.entries).toHaveLength(sent)
  })
})
