import { createMCPClient } from '@switchboard/mcp'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Fields } from '@switchboard/testkit/fault-server'
import { openStream, SimulatedServer, stream } from './simulated-server.ts'

/** A page asks `navigator.onLine` before each request that carries a token. */
const network = { onLine: true }
const tokenSource = { token: async () => 'token', challenge: async () => false }

async function connect(options: Fields = {}, transport: Fields = {}, onRequest?: SimulatedServer['onRequest']) {
  network.onLine = true
  vi.stubGlobal('navigator', network)
  const server = new SimulatedServer()
  server.onRequest = onRequest
  const { url, fetch } = server
  const client = await server.settled(
    createMCPClient({
      transport: { type: 'http', url, fetch, tokenSource, ...transport },
      protocolVersionDiscovery: false,
      ...options,
    }),
  )
  return { server, client }
}

afterEach(() => vi.unstubAllGlobals())

const call = { name: 'work', arguments: {} }

describe('[S8] a call whose stream breaks while the page is offline', () => {
  /** Answers the call with the beginning of a stream, and takes the network away. */
  const breakOff = (server: SimulatedServer) => {
    let id: unknown
    server.onRequest = ({ method, message, headers }) => {
      if (headers.has('last-event-id'))
        return stream(`id: 2\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } })}\n\n`)
      if (method !== 'tools/call') return undefined
      id = message?.id
      network.onLine = false
      return stream('id: 1\nretry: 10\ndata:\n\n')
    }
  }

  it('gets its answer once the page is online again', async () => {
    const { server, client } = await connect()
    breakOff(server)
    setTimeout(() => (network.onLine = true), 3000)
    expect(await server.settled(client.callTool(call))).toMatchObject({ content: [] })
    expect(server.count('tools/call')).toBe(1)
    await server.settled(client.close())
  })

  it('has an unknown outcome when the page stays offline', async () => {
    const { server, client } = await connect({}, { reconnects: 2 })
    breakOff(server)
    const error: unknown = await server.settled(client.callTool(call).catch((thrown: unknown) => thrown))
    expect(error).toMatchObject({ reason: 'network', lost: true })
    expect(String(error)).not.toContain('was not sent')
    network.onLine = true
    await server.settled(client.close())
  })

  it('has an unknown outcome when no token can be had to resume it', async () => {
    let token = async () => 'token'
    const { server, client } = await connect({}, { tokenSource: { ...tokenSource, token: () => token() } })
    breakOff(server)
    const { onRequest } = server
    server.onRequest = (request) => {
      const response = onRequest?.(request)
      network.onLine = true
      if (request.method === 'tools/call') token = () => Promise.reject(new Error('signed out'))
      return response
    }
    const error: unknown = await server.settled(client.callTool(call).catch((thrown: unknown) => thrown))
    expect(error).toMatchObject({ reason: 'unauthorized', lost: true })
    await server.settled(client.close())
  })
})

it('[S14] the stream of a session is opened again after the page was offline', async () => {
  const broken = new AbortController()
  const { server, client } = await connect({ onNotification: () => {} }, {}, (request) =>
    request.method === 'GET' ? openStream(broken.signal).response : undefined,
  )
  server.onRequest = undefined
  network.onLine = false
  broken.abort()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(server.count('GET')).toBe(1)
  network.onLine = true
  await vi.advanceTimersByTimeAsync(60_000)
  expect(server.count('GET')).toBe(2)
  await server.settled(client.close())
})
