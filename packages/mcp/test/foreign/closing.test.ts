import { createMCPClient as createAiSdk2 } from '@ai-sdk/mcp'
import { Client as ClientV2, StreamableHTTPClientTransport as OfficialHttpV2 } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OfficialHttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createMCPClient, HttpTransport } from '@switchboard/mcp'
import { StdioTransport } from '@switchboard/mcp/stdio'
import { type FaultServer, startFaultServer, type WireMessage } from '@switchboard/testkit/fault-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SimulatedServer } from '../storms/simulated-server.ts'

const me = { name: 'foreign', version: '1.0.0' }
const call = { name: 'echo', arguments: {} }
interface Caller {
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  close(): Promise<void>
}

/** Connects with the client's own transport, or with ours in its place. */
const clients: Record<string, (url: string, ours: boolean) => Promise<Caller>> = {
  'the official 1.x Client': async (url, ours) => {
    const client = new ClientV1(me)
    await client.connect((ours ? new HttpTransport(url) : new OfficialHttpV1(new URL(url))) as any)
    return client as Caller
  },
  'the official 2.x Client': async (url, ours) => {
    const client = new ClientV2(me, { versionNegotiation: { mode: 'legacy' } })
    await client.connect(ours ? new HttpTransport(url) : new OfficialHttpV2(new URL(url)))
    return client as Caller
  },
}

async function serveWithoutAnswers(): Promise<FaultServer> {
  const server = await startFaultServer({ era: 'sessions' })
  onTestFinished(() => server.close())
  server.onRequest = (exchange) => {
    if (exchange.method === 'tools/call') exchange.stall()
  }
  return server
}

/** How a client says that a call ended because it was closed. */
async function endOfCall(client: Caller, underWay: () => Promise<unknown>): Promise<unknown> {
  const calling = client.callTool(call).then(
    () => 'answered',
    (error: Error & { code?: unknown }) => ({ name: error.name, code: error.code, message: error.message }),
  )
  await underWay()
  await client.close()
  return calling
}

describe('[T3] a call that is pending at close()', () => {
  it.each(Object.entries(clients))('ends in %s as with its own transport', async (_name, connect) => {
    const outcomes: unknown[] = []
    for (const ours of [false, true]) {
      const server = await serveWithoutAnswers()
      const client = await connect(server.url, ours)
      outcomes.push(await endOfCall(client, () => server.ledger.untilCount('tools/call', 1)))
    }
    expect(outcomes[1]).toEqual(outcomes[0])
    expect(JSON.stringify(outcomes[0])).toMatch(/closed/i)
  })

  it('ends in the client of @ai-sdk/mcp 2.x with its connection-closed error', async () => {
    const server = await serveWithoutAnswers()
    const client = await createAiSdk2({ transport: new HttpTransport(server.url), protocolVersionDiscovery: false })
    const outcome = await endOfCall(client, () => server.ledger.untilCount('tools/call', 1))
    expect(outcome).toMatchObject({ name: 'MCPClientError', message: 'Connection closed' })
  })

  it('ends in the official 1.x Client as with its own transport, over stdio', async () => {
    const program = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line)
      const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
      if (method === 'initialize') console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
      if (method === 'tools/call') console.log(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/underway' }))
    })`
    const options = { command: process.execPath, args: ['-e', program] }
    const outcomes: unknown[] = []
    for (const Transport of [StdioClientTransport, StdioTransport]) {
      const client = new ClientV1(me)
      const underWay = new Promise<void>((resolve) => {
        client.fallbackNotificationHandler = async () => resolve()
      })
      await client.connect(new Transport(options) as any)
      outcomes.push(await endOfCall(client as Caller, () => underWay))
    }
    expect(outcomes[1]).toEqual(outcomes[0])
  })
})

describe('[T8] close() of an HTTP client', () => {
  it.each(['sessions', 'stateless', 'no session id'])(
    'resolves without a timer while a call is pending (%s)',
    async (era) => {
      // Its clock is a fake one that nobody moves: nothing here may wait for a timer.
      const server = new SimulatedServer()
      let onCall = (): void => {}
      const underWay = new Promise<void>((resolve) => (onCall = resolve))
      const fetch = async (url: string | URL, { method = '', body, signal }: RequestInit = {}): Promise<Response> => {
        const message = body ? (JSON.parse(String(body)) as WireMessage) : undefined
        if (method === 'DELETE') return new Response(null, { status: 204 })
        if (message?.method === 'tools/call') {
          onCall()
          return new Promise((_resolve, reject) =>
            signal?.addEventListener('abort', () => reject(signal.reason as Error)),
          )
        }
        if (message?.method === 'server/discover' && era === 'stateless')
          return server.result(message, { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } })
        const name = String(message?.method)
        const response = server.answer({ method: name, message, headers: new Headers(), url: String(url), signal })
        if (era === 'no session id') response.headers.delete('mcp-session-id')
        return response
      }
      const client = await createMCPClient({ transport: { type: 'http', url: server.url, fetch } })
      const calling = client.callTool(call).catch((error: unknown) => error)
      await underWay
      await client.close()
      expect(await calling).toMatchObject({ reason: 'closed', method: 'tools/call', lost: true })
      expect(vi.getTimerCount()).toBe(0)
    },
  )
})
