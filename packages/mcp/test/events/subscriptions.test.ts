import { createMCPClient, isMCPError, MCPClient } from '@switchboard/mcp'
import { describe, expect, it, vi } from 'vitest'
import { comment, EventServer, polled, Refusal } from './event-server.ts'
import { MemoryStore } from './memory-store.ts'
import { scenario } from './scenario.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

const failureOf = async (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => expect.fail('It did not fail'),
    (error: unknown) => error,
  )

describe.each([{ stateless: true }, { stateless: false }])('a server with events, %j', (era) => {
  it('[V1] is asked for one page of its list at a time', async () => {
    const { client, server } = await scenario(era)
    const first = await client.experimental_events.list()
    expect(first).toMatchObject({ events: [polled], nextCursor: '1' })
    const second = await client.experimental_events.list({ params: { cursor: first.nextCursor! } })
    expect(second.events).toEqual([comment])
    expect(second.nextCursor).toBeUndefined()
    expect(server.of('events/list')).toEqual([{}, { cursor: '1' }])
  })

  it('[V2] is subscribed to, asks the webhook at once, and its events arrive until the end', async () => {
    const { client, server, store, heard, wanted } = await scenario(era)
    const granted = await client.experimental_events.subscribe({ ...wanted, ttlMs: 60_000, maxAgeMs: 0, cursor: 'c0' })
    expect(granted).toMatchObject({ refreshBefore: '2099-01-01T00:00:00Z', cursor: 'start', truncated: false })
    const { key, delivery } = store.only
    expect(server.of('events/subscribe')).toEqual([
      { name: comment.name, arguments: { document: 'doc_1' }, delivery, cursor: 'c0', ttlMs: 60_000, maxAgeMs: 0 },
    ])
    expect(delivery.url).toBe(`${wanted.delivery.url}?mcp_event_subscription=${key}`)
    expect(delivery.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(store.only).toMatchObject({ id: granted.id, status: 'active', cursor: 'start', definition: comment })

    expect((await server.deliver(server.known.get(granted.id)!)).status).toBe(204)
    expect(heard).toMatchObject([{ subscription: { id: granted.id }, event: { data: { text: 'Well done.' } } }])

    await client.experimental_events.unsubscribe({ id: granted.id })
    const { url } = delivery
    expect(server.of('events/unsubscribe')).toEqual([
      { name: comment.name, arguments: { document: 'doc_1' }, delivery: { mode: 'webhook', url } },
    ])
    expect([server.known.size, store.all.size]).toEqual([0, 0])
  })
})

describe('listing events', () => {
  it('[V1] works without a store', async () => {
    const { client } = await scenario({ config: { experimental_events: undefined } })
    expect((await client.experimental_events.list()).events).toEqual([polled])
    await expect(client.experimental_events.refresh({ id: 'x' })).rejects.toThrow(TypeError)
  })

  it('[V1] leaves out what is no definition, alone, and tells of it', async () => {
    const { client, server, warnings } = await scenario()
    const huge = { ...comment, name: 'huge', description: 'x'.repeat(300_000) }
    const unusable = [
      null,
      'event',
      {},
      { ...comment, name: '' },
      { ...comment, name: 5 },
      { ...comment, description: {} },
      { ...comment, delivery: [] },
      { ...comment, delivery: 'webhook' },
      { ...comment, delivery: ['pigeon'] },
      { ...comment, inputSchema: 'any' },
      { ...comment, payloadSchema: undefined },
      huge,
    ]
    server.pages = [[...unusable, { ...comment, delivery: ['pigeon', 'webhook'], inputSchema: true, more: 1 }]]
    const { events } = await client.experimental_events.list()
    expect(events).toEqual([{ ...comment, delivery: ['webhook'], inputSchema: true, more: 1 }])
    expect(warnings.map((error) => isMCPError(error) && error.reason)).toEqual(unusable.map(() => 'protocol'))
    expect(Math.max(...warnings.map(({ message }) => message.length))).toBeLessThan(400)
  })

  it.each([{}, { events: {} }, { events: [], nextCursor: 5 }])('[V1] an answer of %j is no list', async (answer) => {
    const { client, server } = await scenario()
    server.instead = { 'events/list': () => answer }
    expect(await failureOf(client.experimental_events.list())).toMatchObject({ reason: 'protocol' })
  })

  it('[V1] is the same object every time, and needs a connection only when it is used', async () => {
    const { server, client } = await scenario()
    expect(client.experimental_events).toBe(client.experimental_events)
    const lazy = new MCPClient(server.url)
    const { list } = lazy.experimental_events
    expect((await list()).events).toEqual([polled])
    await lazy.close()
    await expect(list()).rejects.toMatchObject({ reason: 'closed' })
  })
})

describe('subscribing', () => {
  it('[V2] what the server must find stored is stored before it is asked', async () => {
    const { client, server, store, wanted } = await scenario()
    let pending: unknown
    server.instead = {
      'events/subscribe': ({ delivery }) => {
        pending = { ...store.only, secret: store.only.delivery.secret === delivery.secret }
        return { id: 'sub_1', ...server.grant }
      },
    }
    await client.experimental_events.subscribe(wanted)
    expect(pending).toMatchObject({ status: 'pending', secret: true, name: comment.name, cursor: null })
    expect(pending).not.toHaveProperty('id')
    expect(pending).not.toHaveProperty('ttlMs')
  })

  it('[V2] what the caller does to the arguments afterwards changes no subscription', async () => {
    const { client, server, store, wanted } = await scenario()
    const keep = vi.spyOn(store, 'set')
    const args = { document: 'doc_1' }
    await client.experimental_events.subscribe({ ...wanted, arguments: args })
    args.document = 'doc_2'
    expect(keep.mock.lastCall?.[0].arguments).toEqual({ document: 'doc_1' })
    expect(server.of('events/subscribe')).toMatchObject([{ arguments: { document: 'doc_1' } }])
  })

  it('[V2] an event that is not there, or not for webhooks, says so', async () => {
    const { client, server, store, wanted } = await scenario()
    const { subscribe } = client.experimental_events
    const missing = await failureOf(subscribe({ ...wanted, name: 'nothing.happened' }))
    expect(missing).toMatchObject({ reason: 'protocol', method: 'events/subscribe' })
    expect(missing.message).toContain('nothing.happened')
    expect((await failureOf(subscribe({ ...wanted, name: polled.name }))).message).toContain('only poll')
    expect([store.all.size, server.of('events/subscribe').length]).toEqual([0, 0])
  })

  it('[V2] a list without an end is left', async () => {
    const { client, server, wanted } = await scenario()
    server.instead = { 'events/list': () => ({ events: [], nextCursor: 'again' }) }
    expect(await failureOf(client.experimental_events.subscribe(wanted))).toMatchObject({ reason: 'limit' })
    expect(server.of('events/list')).toHaveLength(2)
    let page = 0
    server.instead = { 'events/list': () => ({ events: [], nextCursor: `${++page}` }) }
    expect(await failureOf(client.experimental_events.subscribe(wanted))).toMatchObject({ reason: 'limit' })
    expect(page).toBe(100)
  })

  it('[V3] mistakes are told before anything is sent', async () => {
    const { client, server, wanted, store } = await scenario()
    const asked = server.asked.length
    const delivery = (more: object) => ({ ...wanted, delivery: { ...wanted.delivery, ...more } }) as typeof wanted
    const short = Buffer.alloc(23).toString('base64')
    const long = Buffer.alloc(65).toString('base64')
    const wrong = [
      { ...wanted, delivery: undefined } as never,
      delivery({ mode: 'poll' }),
      delivery({ url: 'not an address' }),
      delivery({ url: 'http://example.com/hook' }),
      delivery({ url: 'http://localhost/hook' }),
      delivery({ url: 'ftp://127.0.0.1/hook' }),
      delivery({ allowInsecureLocalhost: undefined }),
      delivery({ url: 'https://user@example.com/hook' }),
      delivery({ url: 'https://:word@example.com/hook' }),
      delivery({ url: 'https://example.com/hook#part' }),
      ...['', 'secret', `whsec_${short}`, `whsec_${long}`, 'whsec_!!!!', SECRET.slice(6)].map((secret) =>
        delivery({ secret }),
      ),
      ...[0, -1, 1.5, Infinity, '5'].map((ttlMs) => ({ ...wanted, ttlMs: ttlMs as number })),
      ...[-1, 1.5, NaN].map((maxAgeMs) => ({ ...wanted, maxAgeMs })),
    ]
    for (const options of wrong) {
      const error = await failureOf(client.experimental_events.subscribe(options))
      expect(error).toBeInstanceOf(TypeError)
      expect(error.message).not.toContain(short)
    }
    await expect(client.experimental_events.refresh({} as never)).rejects.toThrow(TypeError)
    expect([server.asked.length - asked, store.all.size]).toEqual([0, 0])
  })

  it.each([
    ['a store that cannot do all', { store: { get: () => {} } }],
    ['an adapter beside a store', { store: new MemoryStore(), adapter: {} }],
    ['an adapter that is none', { adapter: {} }],
    ['no adapter at all', { adapter: null }],
  ])('[V3] %s is told before anything is sent', async (_what, events) => {
    const server = await new EventServer().start()
    const client = createMCPClient({
      transport: { type: 'http', url: server.url },
      experimental_events: events as never,
    })
    await expect(client).rejects.toThrow(TypeError)
    expect(server.asked).toEqual([])
  })

  it('[V3] arguments that the application refuses reach neither store nor server', async () => {
    const refusal = new Error('No such document')
    const store = new MemoryStore()
    const seen: unknown[] = []
    const validateArguments = async (args: unknown): Promise<void> => {
      seen.push(args)
      throw refusal
    }
    const { client, server, wanted } = await scenario({ config: { experimental_events: { store, validateArguments } } })
    await expect(client.experimental_events.subscribe(wanted)).rejects.toBe(refusal)
    expect(seen).toEqual([{ definition: comment, arguments: { document: 'doc_1' } }])
    expect([store.all.size, server.of('events/subscribe').length]).toEqual([0, 0])
  })

  it('[V3] a secret of your own, an address with a query and a bare # are taken', async () => {
    const { client, server, store, wanted } = await scenario()
    server.instead = { 'events/subscribe': () => ({ id: 'sub_1', ...server.grant, refreshBefore: null, cursor: null }) }
    const delivery = { mode: 'webhook' as const, url: 'https://example.com/hook?a=1#', secret: SECRET }
    const granted = await client.experimental_events.subscribe({ ...wanted, delivery, ttlMs: null })
    expect(granted).toMatchObject({ refreshBefore: null, cursor: null })
    expect(store.only.delivery).toEqual({
      mode: 'webhook',
      url: `https://example.com/hook?a=1&mcp_event_subscription=${store.only.key}`,
      secret: SECRET,
    })
    expect(server.of('events/subscribe')).toMatchObject([{ ttlMs: null }])
  })

  it.each([
    {},
    { id: '' },
    { id: 5 },
    { id: 'x'.repeat(2000) },
    { refreshBefore: undefined },
    { refreshBefore: 'soon' },
    { refreshBefore: '2099-01-01' },
    { refreshBefore: '2099-13-01T00:00:00Z' },
    { cursor: 5 },
    { cursor: 'x'.repeat(70_000) },
    { truncated: undefined },
  ])('[V4] an answer with %j is none, and the subscription stays pending', async (more) => {
    const { client, server, store, wanted } = await scenario()
    const whole = { id: 'sub_1', ...server.grant, ...more }
    server.instead = { 'events/subscribe': () => (Object.keys(more).length > 0 ? whole : {}) }
    expect(await failureOf(client.experimental_events.subscribe(wanted))).toMatchObject({ reason: 'protocol' })
    expect(store.only.status).toBe('pending')
    expect(store.only).not.toHaveProperty('id')
  })

  it('[V4] what failed can be tried again, or given up, by its key', async () => {
    const { client, server, store, wanted } = await scenario()
    server.instead = {
      'events/subscribe': () => {
        throw new Refusal(-32015, 'CallbackEndpointError', { reason: 'timeout' })
      },
    }
    const error = await failureOf(client.experimental_events.subscribe(wanted))
    expect(error).toMatchObject({ reason: 'rpc', code: -32015, data: { reason: 'timeout' } })
    const { key } = store.only
    server.instead = {}
    expect(await client.experimental_events.refresh({ key })).toMatchObject({ id: store.only.id })
    expect(store.only.status).toBe('active')
    await client.experimental_events.unsubscribe({ key })
    expect(store.all.size).toBe(0)
  })

  it('[V4] an answer that was lost is asked for again: the server knows the subscription', async () => {
    let answers = 0
    const losing: typeof fetch = async (url, init) => {
      const response = await fetch(url, init)
      if (!String(init?.body).includes('events/subscribe') || answers++ > 0) return response
      await response.text()
      throw new TypeError('The connection broke')
    }
    const { server, store, subscribe } = await scenario({ fetch: losing })
    const { id } = await subscribe()
    const [first, second, ...more] = server.of('events/subscribe')
    expect(second).toEqual(first)
    expect([more, server.known.size, store.only.id]).toEqual([[], 1, id])
  })

  it('[V6] a secret that the server quotes is in no error', async () => {
    const { client, server, store, wanted } = await scenario()
    for (const quoted of [
      (secret: string) => secret,
      (secret: string) => secret.slice(6),
      () => 'in data alone',
      (s: string) => `${'x'.repeat(150)} ${s}`,
    ]) {
      server.instead = {
        'events/subscribe': ({ delivery }) => {
          throw new Refusal(-32602, `Bad secret ${quoted(delivery.secret)}`, { given: delivery })
        },
      }
      const error = await failureOf(client.experimental_events.subscribe(wanted))
      const [last] = [...store.all.values()].slice(-1)
      const secret = last!.delivery.secret
      expect(error).toMatchObject({ reason: 'rpc', code: -32602, method: 'events/subscribe' })
      expect(error.message).toContain('Bad secret')
      const shown = [error.message, error.stack, JSON.stringify(error), String(error.cause)].join()
      expect(shown).not.toContain(secret.slice(6, 30))
    }
  })
})

describe('refreshing', () => {
  it('[V5] sends the same again with the last cursor, and puts deliveries off until it is stored', async () => {
    const { client, server, store, subscribe } = await scenario()
    const known = await subscribe()
    expect((await server.deliver(known)).status).toBe(204)
    expect(store.only.cursor).toBe('after-1')
    let meanwhile: number | undefined
    server.instead = {
      'events/subscribe': async () => {
        meanwhile = (await server.deliver(known)).status
        return { id: known.id, refreshBefore: '2099-02-01T00:00:00+02:00', truncated: true }
      },
    }
    const granted = await client.experimental_events.refresh({ id: known.id })
    expect(granted).toMatchObject({ cursor: null, truncated: true })
    expect(meanwhile).toBe(503)
    const [first, second] = server.of('events/subscribe')
    expect(second).toEqual({ ...first, cursor: 'after-1' })
    expect(store.only).toMatchObject({ status: 'active', refreshBefore: '2099-02-01T00:00:00+02:00', truncated: true })
    expect((await server.deliver(known)).status).toBe(204)
  })

  it('[V5] what the store does not have is gone', async () => {
    const { client, server } = await scenario()
    for (const choice of [{ id: 'sub_9' }, { key: 'k' }]) {
      expect(await failureOf(client.experimental_events.refresh(choice))).toMatchObject({ reason: 'expired' })
      expect(await failureOf(client.experimental_events.unsubscribe(choice))).toMatchObject({ reason: 'expired' })
    }
    expect(server.of('events/subscribe')).toEqual([])
  })

  it('[V5] a subscription that the server does not give up stays stored', async () => {
    const { client, server, store, subscribe } = await scenario()
    const { id } = await subscribe()
    server.instead = {
      'events/unsubscribe': () => {
        throw new Refusal(-32011, 'NotFound')
      },
    }
    await expect(client.experimental_events.unsubscribe({ id })).rejects.toMatchObject({ code: -32011 })
    expect(store.only.id).toBe(id)
  })

  it('[V5] closing the client ends no subscription', async () => {
    const { client, server, subscribe, heard } = await scenario()
    const known = await subscribe()
    await client.close()
    expect((await server.deliver(known)).status).toBe(204)
    expect([heard.length, server.of('events/unsubscribe').length]).toEqual([1, 0])
  })
})
