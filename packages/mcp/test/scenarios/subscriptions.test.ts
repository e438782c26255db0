import { describe, expect, it, vi } from 'vitest'
import { eras, failureOf, serveAndConnect } from '../faults/scenario.ts'

describe.each(eras)('a subscription (%s)', (era) => {
  const open = { era, getStream: true } as const
  const updated = (uri: string) => ({ method: 'notifications/resources/updated', params: { uri } })

  it('[C16] hears of its own resource until it is closed, and the server is told of both', async () => {
    const { server, client } = await serveAndConnect(open)
    const heard = vi.fn()
    const other = vi.fn()
    const subscription = await client.subscribe('test://one', heard)
    const kept = await client.subscribe('test://two', other)
    server.push(updated('test://one'))
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1), 60_000)
    expect(other).not.toHaveBeenCalled()
    await subscription.close()
    if (era === 'sessions') {
      expect(server.ledger.of('resources/subscribe').map(({ params }) => params['uri'])).toEqual([
        'test://one',
        'test://two',
      ])
      expect(server.ledger.of('resources/unsubscribe').map(({ params }) => params['uri'])).toEqual(['test://one'])
    } else {
      const wishes = server.ledger.of('subscriptions/listen').map(({ params }) => params['notifications'])
      expect(wishes.at(-1)).toMatchObject({ resourceSubscriptions: ['test://two'] })
    }
    server.push(updated('test://one'))
    server.push(updated('test://two'))
    await vi.waitFor(() => expect(other).toHaveBeenCalledTimes(1), 60_000)
    expect(heard).toHaveBeenCalledTimes(1)
    await kept.close()
  })

  it('[C16] two of one resource cost the server one, and each is its own', async () => {
    const { server, client } = await serveAndConnect(open)
    const heard = vi.fn()
    const first = await client.subscribe('test://one', heard)
    const second = await client.subscribe('test://one', heard)
    expect(server.ledger.count(era === 'sessions' ? 'resources/subscribe' : 'subscriptions/listen')).toBe(1)
    server.push(updated('test://one'))
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(2), 60_000)
    await first.close()
    await first.close()
    expect(server.ledger.count('resources/unsubscribe')).toBe(0)
    server.push(updated('test://one'))
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(3), 60_000)
    await second.close()
    if (era === 'sessions') expect(server.ledger.count('resources/unsubscribe')).toBe(1)
    else await server.ledger.until(() => server.listeners.size === 0, 'the end of the stream')
  })

  it('[C16] one that the server refuses is an error, and can be tried anew', async () => {
    const { server, client } = await serveAndConnect(open)
    server.onRequest = (exchange) => {
      const refuses = exchange.method === 'resources/subscribe' || exchange.method === 'subscriptions/listen'
      if (refuses) exchange.json(exchange.failure(-32602, 'No such resource'))
    }
    const error = await failureOf(
      client.subscribe('test://one', () => {}),
      undefined,
    )
    expect(error.code).toBe(-32602)
    server.onRequest = undefined
    const heard = vi.fn()
    await client.subscribe('test://one', heard)
    server.push(updated('test://one'))
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1), 60_000)
  })

  it('[C16] after the stream broke the news arrive again', async () => {
    const { server, client } = await serveAndConnect(open)
    const heard = vi.fn()
    await client.subscribe('test://one', heard)
    for (const { stream } of server.listeners) stream.drop()
    await server.ledger.until(() => server.listeners.size === 0, 'the break')
    await server.ledger.until(() => server.listeners.size === 1, 'a new stream')
    server.push(updated('test://one'))
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1), 60_000)
  })
})
