import { createMCPClient } from '@switchboard/mcp'
import { describe, expect, it, vi } from 'vitest'
import { openStream, type SeenRequest, SimulatedServer } from './simulated-server.ts'

/** A stateless server that answers `subscriptions/listen` like this. */
function serve(listen: (request: SeenRequest) => Response | undefined): SimulatedServer {
  const server = new SimulatedServer()
  server.onRequest = (request) => {
    const { method, message } = request
    if (method === 'subscriptions/listen') return listen(request)
    if (method !== 'server/discover') return undefined
    return server.result(message, {
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
    })
  }
  return server
}

const connect = ({ url, fetch }: SimulatedServer) =>
  createMCPClient({ transport: { type: 'http', url, fetch }, onNotification: () => {} })

/** What the promise came to within five seconds of the fake clock. */
async function within5s<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('still pending after 5 s')), 5000)
  })
  const raced = Promise.race([promise, late])
  raced.catch(() => {})
  await vi.advanceTimersByTimeAsync(5000)
  clearTimeout(timer)
  return raced
}

const unacknowledged: [string, (request: SeenRequest) => Response | undefined][] = [
  ['is answered with 503', () => new Response('', { status: 503 })],
  ['is answered with 429', () => new Response('', { status: 429 })],
  ['opens a stream and acknowledges nothing', ({ signal }) => openStream(signal).response],
]

describe('[C16] a stateless server whose subscriptions/listen', () => {
  it.each(unacknowledged)('%s is connected to all the same', async (_name, listen) => {
    const server = serve(listen)
    const client = await within5s(connect(server))
    expect(server.count('subscriptions/listen')).toBeGreaterThan(0)
    const subscription = await within5s(client.subscribe('test://one', () => {}))
    await within5s(subscription.close())
    await server.settled(client.close())
  })

  it('is answered with 503 once is asked again, and news arrive', async () => {
    let asked = 0
    let push: ReturnType<typeof openStream>['push'] | undefined
    const server = serve(({ message, signal }) => {
      if (asked++ === 0) return new Response('', { status: 503 })
      const opened = openStream(signal)
      push = opened.push
      const _meta = { 'io.modelcontextprotocol/subscriptionId': message?.id }
      push({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { _meta, notifications: {} } })
      return opened.response
    })
    const client = await within5s(connect(server))
    const listener = vi.fn()
    client.onListChanged('tools', listener)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(asked).toBe(2)
    push?.({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
    await vi.advanceTimersByTimeAsync(1000)
    expect(listener).toHaveBeenCalledTimes(1)
    await server.settled(client.close())
  })

  it('is refused late has its error reported to those who subscribed', async () => {
    const server = serve(() => undefined)
    const reported: unknown[] = []
    const { url } = server
    const fetch: typeof server.fetch = async (address, init) => {
      const response = await server.fetch(address, init)
      if (!String(init?.body).includes('subscriptions/listen')) return response
      await new Promise((resolve) => setTimeout(resolve, 2000))
      const { id } = JSON.parse(String(init?.body)) as { id: number }
      return Response.json({ jsonrpc: '2.0', id, error: { code: -32602, message: 'No such resource' } })
    }
    const client = await within5s(
      createMCPClient({ transport: { type: 'http', url, fetch }, onUncaughtError: (error) => reported.push(error) }),
    )
    await within5s(client.subscribe('test://one', () => {}))
    expect(reported).toMatchObject([{ code: -32602 }])
    await server.settled(client.close())
  })
})
