import { createMCPClient } from '@switchboard/mcp'
import { describe, expect, it } from 'vitest'
import { SimulatedServer, stream } from './simulated-server.ts'

describe('[C6] the time-out of a call', () => {
  const progress = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info' } })
  let ids = 0
  it.each<[string, () => string]>([
    ['has a new id each time', () => `id: ${++ids}\nretry: 0\n\n`],
    ['has an empty event each time', () => `id: ${++ids}\nretry: 0\ndata:\n\n`],
    ['repeats an event each time', () => `id: 1\nretry: 0\ndata: ${progress}\n\n`],
  ])('is kept when a stream with retry: 0 ends without end and %s', async (_name, text) => {
    const server = new SimulatedServer()
    const client = await server.settled(
      createMCPClient({
        transport: { type: 'http', url: server.url, fetch: server.fetch },
        protocolVersionDiscovery: false,
      }),
    )
    server.onRequest = ({ method }) => (/GET|tools\/call/.test(method) ? stream(text()) : undefined)
    const began = Date.now()
    const calling = client.callTool({ name: 'slow', arguments: {}, options: { timeout: 2000 } })
    const error: unknown = await server.settled(calling.catch((thrown: unknown) => thrown))
    expect(error).toMatchObject({ reason: 'timeout' })
    expect(Date.now() - began).toBeLessThan(2200)
    await server.settled(client.close())
  })
})
