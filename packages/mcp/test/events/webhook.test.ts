import { experimental_createMCPEventWebhook as createWebhook } from '@switchboard/mcp'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { comment, event, signatureOf } from './event-server.ts'
import { later, scenario } from './scenario.ts'

const OTHER = `whsec_${Buffer.alloc(32, 9).toString('base64')}`

afterEach(() => void vi.useRealTimers())

describe('an event', () => {
  it('[V8] reaches its handler as it came, without the secret, and its cursor is stored', async () => {
    const { server, store, heard, subscribe } = await scenario()
    const known = await subscribe()
    expect((await server.deliver(known, { body: event({ more: [1] }) })).status).toBe(204)
    const { id, name, arguments: args, url } = known
    const refreshBefore = '2099-01-01T00:00:00Z'
    const subscription = { id, name, arguments: args, delivery: { mode: 'webhook', url }, refreshBefore }
    expect(heard).toEqual([{ subscription, event: event({ more: [1] }) }])
    expect(JSON.stringify(heard)).not.toContain(known.secret)
    expect(store.only.cursor).toBe('after-1')
    await server.deliver(known, { body: event({ eventId: 'evt_2', cursor: undefined }) })
    expect(store.only.cursor).toBe('after-1')
    await server.deliver(known, { body: event({ eventId: 'evt_3', cursor: null }) })
    expect(store.only.cursor).toBe(null)
  })

  it('[V8] has names such as __proto__ as data', async () => {
    const { server, heard, subscribe } = await scenario()
    const body = JSON.stringify(event({ data: { a: 1 } })).replace('"a":1', '"__proto__":{"polluted":1}')
    expect((await server.deliver(await subscribe(), { body, headers: { 'webhook-id': 'evt_1' } })).status).toBe(204)
    expect(Object.keys(heard[0].event.data)).toEqual(['__proto__'])
    expect(heard[0].event.data.polluted).toBeUndefined()
  })

  it('[V8] is taken when its handler is through with it, not before', async () => {
    const { server, store, handlers, subscribe } = await scenario()
    const known = await subscribe()
    const [begun, finish] = [later(), later()]
    handlers.onEvent = () => {
      begun.resolve()
      return finish.promise
    }
    let answered = false
    const delivered = server.deliver(known).then((response) => {
      answered = true
      return response.status
    })
    await begun.promise
    expect([answered, store.only.cursor]).toEqual([false, 'start'])
    finish.resolve()
    expect(await delivered).toBe(204)
  })

  it.each(['onEvent', 'store'])('[V8] is put off when %s fails, and may come again', async (what) => {
    const { server, store, handlers, errors, heard, subscribe } = await scenario()
    const known = await subscribe()
    const failure = new Error('Full')
    const { onEvent } = handlers
    const fails = async (): Promise<never> => {
      throw failure
    }
    if (what === 'store') vi.spyOn(store, 'update').mockImplementationOnce(fails)
    else handlers.onEvent = fails
    expect((await server.deliver(known)).status).toBe(503)
    expect([errors, store.only.cursor]).toEqual([[failure], 'start'])
    handlers.onEvent = onEvent
    heard.length = 0
    expect((await server.deliver(known)).status).toBe(204)
    expect([heard.length, store.only.cursor]).toEqual([1, 'after-1'])
  })

  it('[V8] is refused for good where the application says so, even if telling that fails', async () => {
    const { server, handlers, heard, subscribe } = await scenario()
    const known = await subscribe()
    const seen: unknown[] = []
    handlers.validatePayload = (one) => {
      seen.push(one)
      throw new Error('Not mine')
    }
    handlers.onError = () => {
      throw new Error('No log today')
    }
    expect((await server.deliver(known)).status).toBe(400)
    expect(seen).toEqual([{ definition: comment, data: { text: 'Well done.' } }])
    expect(heard).toEqual([])
  })

  it('[V8] after the end of its subscription is refused for good', async () => {
    const { server, store, heard, subscribe } = await scenario()
    const known = await subscribe()
    await store.update(store.only.key, { refreshBefore: new Date(Date.now() - 1000).toISOString() })
    expect((await server.deliver(known)).status).toBe(410)
    expect(heard).toEqual([])
  })

  it.each([
    ['no JSON', '{'],
    ['a list', []],
    ['nothing', 'null'],
    ['without a name', event({ name: undefined })],
    ['of another name', event({ name: 'comment.deleted' })],
    ['without a time', event({ timestamp: undefined })],
    ['at no time', event({ timestamp: '2026-99-99T99:99:99Z' })],
    ['without data', event({ data: undefined })],
    ['with a list as data', event({ data: [] })],
    ['with a number as cursor', event({ cursor: 5 })],
    ['with another id than its message', { ...event(), eventId: 'evt_other' }],
    ['that is endlessly deep', `{"data":${'['.repeat(5000)}${']'.repeat(5000)}}`],
    ['of an unknown type', { type: 'party' }],
    ['that is a gap to nowhere', { type: 'gap' }],
    ['that ends without a reason', { type: 'terminated', error: { code: 'x', message: 'y' } }],
    ['that asks for nothing', { type: 'verification', challenge: '' }],
  ])('[V8] %s is refused for good', async (_what, body) => {
    const { server, store, heard, subscribe } = await scenario()
    const known = await subscribe()
    const before = structuredClone(store.only)
    const delivered = await server.deliver(known, { body, headers: { 'webhook-id': 'evt_1' } })
    expect(delivered.status).toBe(400)
    expect([heard, store.only]).toEqual([[], before])
  })
})

describe('what a server says of a subscription', () => {
  const headers = { 'webhook-id': 'msg_gap_1' }

  it('[V9] a gap is told and its cursor stored; what fails changes nothing', async () => {
    const { server, store, heard, errors, handlers, subscribe } = await scenario()
    const known = await subscribe()
    const { onGap } = handlers
    handlers.onGap = async () => {
      throw new Error('Busy')
    }
    const body = { type: 'gap', cursor: 'fresh' }
    expect((await server.deliver(known, { body, headers })).status).toBe(503)
    expect([store.only.cursor, errors.length]).toEqual(['start', 1])
    handlers.onGap = onGap
    expect((await server.deliver(known, { body, headers })).status).toBe(204)
    expect(heard).toMatchObject([{ messageId: 'msg_gap_1', gap: { ...body, truncated: true } }])
    expect(store.only).toMatchObject({ cursor: 'fresh', truncated: true, status: 'active' })
    expect((await server.deliver(known)).status).toBe(204)
  })

  it('[V9] an end is told and the subscription forgotten, also while it is being refreshed', async () => {
    const { server, store, heard, subscribe } = await scenario()
    const known = await subscribe()
    await store.update(store.only.key, { status: 'pending' })
    const body = { type: 'terminated', error: { code: -32012, message: 'Forbidden', data: { why: 1 } } }
    expect((await server.deliver(known, { body, headers })).status).toBe(204)
    expect(heard).toMatchObject([{ subscription: { id: known.id }, messageId: 'msg_gap_1', termination: body }])
    expect(store.all.size).toBe(0)
    expect((await server.deliver(known)).status).toBe(401)
  })

  it('[V9] both work where nobody listens', async () => {
    const { server, store, handlers, subscribe } = await scenario()
    const known = await subscribe()
    handlers.onGap = handlers.onTerminated = undefined
    expect((await server.deliver(known, { body: { type: 'gap', cursor: 'fresh' }, headers })).status).toBe(204)
    expect(store.only.cursor).toBe('fresh')
    const body = { type: 'terminated', error: { code: 1, message: 'Over' } }
    expect((await server.deliver(known, { body, headers })).status).toBe(204)
    expect(store.all.size).toBe(0)
  })

  it('[V9] events and gaps are put off until the answer of the server is stored', async () => {
    const { server, store, heard, subscribe } = await scenario()
    const known = await subscribe()
    for (const patch of [{ status: 'pending' as const }, { id: undefined, status: 'active' as const }]) {
      await store.set({ ...store.only, ...patch } as typeof store.only)
      expect((await server.deliver(known)).status).toBe(503)
      expect((await server.deliver(known, { body: { type: 'gap', cursor: 'x' }, headers })).status).toBe(503)
    }
    expect(heard).toEqual([])
  })
})

describe('a signature', () => {
  it.each([
    ['of another secret', { signedWith: OTHER }],
    ['of six minutes ago', { sentAt: -360 }],
    ['from six minutes ahead', { sentAt: 360 }],
    ['that is missing', { headers: { 'webhook-signature': undefined } }],
    ['of another version', { headers: { 'webhook-signature': 'v2,AAAA' } }],
    ['that is no base64', { headers: { 'webhook-signature': 'v1,!!!! v1, v1' } }],
    ['without a time', { headers: { 'webhook-timestamp': undefined } }],
    ['with a time that is none', { headers: { 'webhook-timestamp': '1e9' } }],
    ['for another message', { headers: { 'webhook-id': 'evt_1', 'webhook-timestamp': '0' } }],
    ['for another subscription', { headers: { 'x-mcp-subscription-id': 'sub_other' } }],
    ['for no subscription', { headers: { 'x-mcp-subscription-id': undefined } }],
  ])('[V10] %s is refused, and nothing is read', async (_what, delivery) => {
    const { server, heard, errors, subscribe } = await scenario()
    const known = await subscribe()
    expect((await server.deliver(known, delivery)).status).toBe(401)
    expect([heard, errors]).toEqual([[], []])
  })

  it('[V10] holds for the very bytes, not for their meaning', async () => {
    const { server, subscribe } = await scenario()
    const known = await subscribe()
    const timestamp = Math.floor(Date.now() / 1000)
    const compact = JSON.stringify(event())
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': `${timestamp}`,
      'webhook-signature': signatureOf(known.secret, 'evt_1', timestamp, compact),
    }
    expect((await server.deliver(known, { body: compact, headers })).status).toBe(204)
    expect((await server.deliver(known, { body: JSON.stringify(event(), null, 1), headers })).status).toBe(401)
  })

  it('[V10] is enough once among up to eight: secrets are changed while messages are under way', async () => {
    const { server, subscribe } = await scenario()
    const known = await subscribe()
    const timestamp = Math.floor(Date.now() / 1000)
    const right = signatureOf(known.secret, 'evt_1', timestamp, JSON.stringify(event()))
    const wrong = signatureOf(OTHER, 'evt_1', timestamp, JSON.stringify(event()))
    const among = async (before: number): Promise<number> => {
      const others = ['v1,?', right.replace('v1', 'v1a'), ...Array<string>(before - 2).fill(wrong)]
      const all = [...others, right, wrong].join(' ')
      const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': `${timestamp}`, 'webhook-signature': all }
      return (await server.deliver(known, { headers })).status
    }
    // The right one under a version that is not ours is no help.
    expect([await among(7), await among(8)]).toEqual([204, 401])
  })

  it.each([-290, 290])('[V10] may be %i seconds off', async (sentAt) => {
    const { server, subscribe } = await scenario()
    expect((await server.deliver(await subscribe(), { sentAt })).status).toBe(204)
  })

  it('[V10] is needed for a challenge, too: a webhook confirms nothing for strangers', async () => {
    const { server, subscribe } = await scenario()
    const known = await subscribe()
    const body = { type: 'verification', challenge: 'nonce' }
    expect((await server.deliver(known, { body, signedWith: OTHER })).status).toBe(401)
    const right = await server.deliver(known, { body })
    expect([right.status, await right.json()]).toEqual([200, { challenge: 'nonce' }])
  })

  it('[V10] that cannot be checked puts the message off', async () => {
    const { server, store, errors, subscribe } = await scenario()
    const known = await subscribe()
    await store.update(store.only.key, { delivery: { ...store.only.delivery, secret: 'broken' } })
    expect((await server.deliver(known)).status).toBe(503)
    expect(errors).toMatchObject([{ name: 'TypeError' }])
    expect(String(errors[0])).not.toContain('broken')
  })
})

describe('a webhook', () => {
  it('[V11] takes POST of JSON', async () => {
    const { server, subscribe } = await scenario()
    const known = await subscribe()
    const get = await server.deliver(known, { method: 'GET' })
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
    const status = async (type: string) => (await server.deliver(known, { headers: { 'content-type': type } })).status
    expect(await status('text/plain')).toBe(415)
    expect(await status('application/jsonp')).toBe(415)
    expect(await status('Application/JSON; charset=utf-8')).toBe(204)
  })

  it.each(['', '../../etc/passwd', '__proto__', 'x'.repeat(5000), '00000000-0000-4000-8000-00000000000Z'])(
    '[V11] does not ask the store for a key that it never made: %.20s',
    async (key) => {
      const { server, store, subscribe } = await scenario()
      const known = await subscribe()
      const log = store.log.length
      const url = new URL(known.url)
      url.searchParams.set('mcp_event_subscription', key)
      expect((await server.deliver(known, { url: url.href })).status).toBe(401)
      expect((await server.deliver(known, { url: url.origin })).status).toBe(401)
      expect(store.log.length).toBe(log)
    },
  )

  it('[V11] takes 256 KiB and no more, whatever the length that was told', async () => {
    const { server, handlers, heard, subscribe } = await scenario()
    const known = await subscribe()
    const rest = 256 * 1024 - JSON.stringify(event({ data: { text: '' } })).length
    const sized = (bytes: number) => event({ data: { text: 'x'.repeat(bytes) } })
    expect((await server.deliver(known, { body: sized(rest) })).status).toBe(204)
    expect((await server.deliver(known, { body: sized(rest + 1) })).status).toBe(413)

    let pulled = 0
    let cancelled = false
    const body = new ReadableStream({
      pull(controller) {
        pulled++
        controller.enqueue(new Uint8Array(1024))
      },
      cancel() {
        cancelled = true
      },
    })
    const headers = { 'content-type': 'application/json', 'x-mcp-subscription-id': known.id }
    const init = { method: 'POST', headers, body, duplex: 'half' }
    expect((await createWebhook(handlers)(new Request(known.url, init))).status).toBe(413)
    expect(pulled).toBeLessThan(300)
    expect(cancelled).toBe(true)
    expect(heard).toHaveLength(1)
  })

  it('[V11] does not wait for a body for ever', async () => {
    const { handlers, subscribe } = await scenario()
    const known = await subscribe()
    const reading = later()
    const body = new ReadableStream({ pull: () => reading.resolve() }, { highWaterMark: 0 })
    const headers = { 'content-type': 'application/json', 'x-mcp-subscription-id': known.id }
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const answer = createWebhook(handlers)(
      new Request(known.url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit),
    )
    await reading.promise
    vi.advanceTimersByTime(10_000)
    expect((await answer).status).toBe(401)
  })

  it('[V11] without a store or a handler is a mistake', () => {
    expect(() => createWebhook({} as never)).toThrow(TypeError)
    expect(() => createWebhook(undefined as never)).toThrow(TypeError)
  })
})
