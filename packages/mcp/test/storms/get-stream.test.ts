import { Client as OfficialClient } from '@modelcontextprotocol/sdk/client/index.js'
import { createMCPClient, HttpTransport } from '@switchboard/mcp'
import { describe, expect, it, vi } from 'vitest'
import { ANSWERS, SimulatedServer } from './simulated-server.ts'

/** Two clients that open a stream of the server's own as soon as they are connected. */
const clients: Record<string, (server: SimulatedServer) => Promise<{ close(): Promise<void> }>> = {
  'our client with a notification handler': ({ url, fetch }) =>
    createMCPClient({
      transport: { type: 'http', url, fetch },
      protocolVersionDiscovery: false,
      onNotification: () => {},
    }),
  'HttpTransport inside the official 1.x Client': async ({ url, fetch }) => {
    const client = new OfficialClient({ name: 'official', version: '1.0.0' })
    await client.connect(new HttpTransport({ url, fetch }))
    return client
  },
}

/** A reconnect at most every ten seconds on average; streams with news may be opened again each second. */
const MOST_PER_HOUR: Record<string, number> = {
  '200 with a stream that ends at once': 600,
  '200 with a stream of one notification': 4000,
  '200 with a stream that has new ids': 600,
  '429': 600,
  '500': 600,
  '503': 600,
  'a closed connection': 600,
}

describe.each(Object.entries(clients))('[S14] %s', (_name, connect) => {
  it.each(Object.entries(ANSWERS))(
    'sends a bounded number of requests per hour when GET is answered with %s',
    async (name, answer) => {
      const server = new SimulatedServer()
      server.onRequest = ({ method }) => (method === 'GET' ? answer() : undefined)
      const client = await server.settled(connect(server))
      const counts = await server.anHour()
      expect(counts['all']).toBeLessThan(MOST_PER_HOUR[name] ?? 5)
      expect(counts['initialize']).toBeUndefined()
      await server.settled(client.close())
    },
  )

  it('keeps its session when GET is answered with 404 and a POST is not', async () => {
    const server = new SimulatedServer()
    server.onRequest = ({ method }) => (method === 'GET' ? new Response('', { status: 404 }) : undefined)
    const client = await server.settled(connect(server))
    await server.anHour()
    expect(server.sessions).toBe(1)
    expect(server.count('GET')).toBe(1)
    expect(server.count('ping')).toBe(1)
    await server.settled(client.close())
  })

  it('opens the stream in a new session when GET and POST say that the old one is gone', async () => {
    const server = new SimulatedServer()
    let gone = ''
    server.onRequest = ({ method, headers }) => {
      const session = headers.get('mcp-session-id')
      if (session === gone && method !== 'DELETE') return new Response('', { status: 404 })
      return undefined
    }
    const drop = new AbortController()
    const { answer } = server
    server.answer = (request) =>
      answer.call(server, request.method === 'GET' ? { ...request, signal: drop.signal } : request)
    const client = await server.settled(connect(server))
    gone = 'session-1'
    drop.abort()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(server.sessions).toBe(2)
    expect(
      server.requests
        .filter(({ method }) => method === 'GET')
        .at(-1)
        ?.headers.get('mcp-session-id'),
    ).toBe('session-2')
    await server.settled(client.close())
  })

  it('makes a bounded number of sessions when every session is lost at once', async () => {
    const server = new SimulatedServer()
    server.onRequest = ({ method }) =>
      /initialize|server\/discover/.test(method) ? undefined : new Response('', { status: 404 })
    const client = await server.settled(connect(server).catch(() => undefined))
    const counts = await server.anHour()
    expect(counts['all']).toBeLessThan(1000)
    await server.settled(client?.close() ?? Promise.resolve())
  })

  it('makes a bounded number of sessions when each lives for a second', async () => {
    const server = new SimulatedServer()
    const born = new Map<string, number>()
    server.onRequest = ({ method, headers }) => {
      const session = headers.get('mcp-session-id') ?? ''
      if (!born.has(session)) born.set(session, Date.now())
      const lost = session !== '' && Date.now() - born.get(session)! > 1000
      if (lost) return new Response('', { status: 404 })
      return method === 'GET' ? ANSWERS['200 with a stream that ends at once']!() : undefined
    }
    const client = await server.settled(connect(server))
    const counts = await server.anHour()
    expect(counts['initialize']).toBeLessThan(200)
    expect(counts['all']).toBeLessThan(1500)
    await server.settled(client.close())
  })
})
