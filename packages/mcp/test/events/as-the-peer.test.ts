import * as ours from '@switchboard/mcp'
import * as peer from '@ai-sdk/mcp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { comment, type Delivery, event, EventServer, type Known, polled } from './event-server.ts'
import { MemoryStore } from './memory-store.ts'
import { receiveWith } from './receiver.ts'

const KEY = '6f1d1c1e-7a44-4d54-9d5e-3a7f2b8c9d10'
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const PAST = '2020-01-01T00:00:00Z'

/** Everything of one side, on servers of its own: what was asked, stored, heard and answered. */
async function world(
  { createMCPClient, experimental_createMCPEventWebhook: createWebhook }: typeof peer,
  stateless = true,
) {
  const server = await new EventServer({ stateless }).start()
  const store = new MemoryStore()
  const heard: unknown[] = []
  const hear = async (one: unknown): Promise<void> => void heard.push(one)
  const options = { store, onEvent: hear, onGap: hear, onTerminated: hear }
  const url = await receiveWith(createWebhook(options as never))
  const client = await createMCPClient({
    transport: { type: 'http', url: server.url },
    experimental_events: { store: store as never },
  })
  onTestFinished(() => client.close())
  return { server, store, heard, url, events: client.experimental_events }
}

/** What differs by chance made equal. */
const plain = (value: unknown, { url, store }: { url: string; store: MemoryStore }, secrets: string[]): unknown => {
  let text = JSON.stringify(value)
    .replaceAll(url, 'HOOK')
    .replaceAll(/"sub_\w+"/g, '"ID"')
  for (const [index, key] of [...store.all.keys()].entries()) text = text.replaceAll(key, `KEY${index}`)
  for (const [index, secret] of secrets.entries()) text = text.replaceAll(secret, `SECRET${index}`)
  return JSON.parse(text)
}

describe('beside @ai-sdk/mcp', () => {
  it.each([true, false])(
    '[V12] a server is asked the same and the same is stored; stateless: %s',
    async (stateless) => {
      const told = await Promise.all(
        [peer, ours as unknown as typeof peer].map(async (library) => {
          const side = await world(library, stateless)
          const { server, store, events, url } = side
          const delivery = { mode: 'webhook' as const, url, allowInsecureLocalhost: true }
          const results: unknown[] = [await events.list(), await events.list({ params: { cursor: '1' } })]
          const wanted = { name: comment.name, arguments: { document: 'doc_1' }, delivery }
          const first = await events.subscribe(wanted)
          const second = await events.subscribe({ ...wanted, ttlMs: null, maxAgeMs: 5, cursor: 'c', arguments: {} })
          results.push(first, second)
          const secrets = [...store.all.values()].map((one) => one.delivery.secret)
          const statuses = [
            (await server.deliver(server.known.get(first.id)!)).status,
            (await server.deliver(server.known.get(second.id)!, { signedWith: SECRET })).status,
          ]
          server.grant = { ...server.grant, refreshBefore: null, cursor: undefined, truncated: true }
          results.push(await events.refresh({ id: first.id }))
          const stored = plain([...store.all.values()], side, secrets)
          const asked = plain(
            ['events/list', 'events/subscribe'].map((method) => server.of(method)),
            side,
            secrets,
          )
          const heard = plain(side.heard, side, secrets)
          await events.unsubscribe({ key: [...store.all.keys()][1]! })
          const left = [server.known.size, store.all.size, server.of('events/unsubscribe').map(Object.keys)]
          return { results: plain(results, side, secrets), statuses, stored, asked, heard, left }
        }),
      )
      expect(told[1]).toEqual(told[0])
      expect(told[1]).toMatchObject({ statuses: [204, 401], left: [1, 1, [['name', 'arguments', 'delivery']]] })
    },
  )

  it.each([
    ['of an unknown event', { name: 'nothing' }],
    ['of an event that is only polled', { name: polled.name }],
    ['at http', { delivery: { mode: 'webhook', url: 'http://example.com/' } }],
    ['at an address with a user', { delivery: { mode: 'webhook', url: 'https://u@example.com/' } }],
    ['at an address with a fragment', { delivery: { mode: 'webhook', url: 'https://example.com/#x' } }],
    [
      'with a secret of 8 bytes',
      { delivery: { mode: 'webhook', url: 'https://example.com/', secret: 'whsec_c2hvcnRlcg==' } },
    ],
    ['for no time', { ttlMs: 0 }],
    ['of a negative age', { maxAgeMs: -1 }],
  ])('[V12] a subscription %s is refused by both, and reaches neither store nor server', async (_what, more) => {
    for (const library of [peer, ours as unknown as typeof peer]) {
      const { events, server, store, url } = await world(library)
      const delivery = { mode: 'webhook', url, allowInsecureLocalhost: true }
      await expect(events.subscribe({ name: comment.name, delivery, ...more } as never)).rejects.toThrow()
      expect([store.all.size, server.of('events/subscribe')]).toEqual([0, []])
    }
  })

  const stored = {
    key: KEY,
    id: 'sub_1',
    name: comment.name,
    arguments: {},
    definition: comment as ours.Experimental_MCPEventDefinition,
    refreshBefore: '2099-01-01T00:00:00Z',
    cursor: null,
    truncated: false,
    status: 'active' as const,
  }
  const rows: [what: string, delivery: Delivery, more?: object][] = [
    ['an event', {}],
    ['an event without a cursor', { body: event({ cursor: undefined }) }],
    ['an event with more than is known', { body: event({ more: 1, _meta: { a: 1 } }) }],
    ['an event of a subscription without an end', {}, { refreshBefore: null }],
    ['a late event', {}, { refreshBefore: PAST }],
    ['an early event', {}, { status: 'pending' }],
    ['an event before the server named the subscription', {}, { id: undefined, status: 'pending' }],
    ['an event of another name', { body: event({ name: 'other' }) }],
    ['an event with another id than its message', { headers: { 'webhook-id': 'evt_2' } }],
    ['an event with a time without an offset', { body: event({ timestamp: '2026-10-05T12:00:00' }) }],
    ['an event with an offset', { body: event({ timestamp: '2026-10-05T12:00:00.123+02:00' }) }],
    ['an event with text as data', { body: event({ data: 'text' }) }],
    ['no JSON', { body: 'hello' }],
    ['a challenge', { body: { type: 'verification', challenge: 'c' } }],
    [
      'a challenge before the answer',
      { body: { type: 'verification', challenge: 'c' } },
      { id: undefined, status: 'pending' },
    ],
    ['a challenge without one', { body: { type: 'verification' } }],
    ['a gap', { body: { type: 'gap', cursor: 'fresh', more: 1 } }],
    ['a late gap', { body: { type: 'gap', cursor: 'fresh' } }, { refreshBefore: PAST }],
    ['an early gap', { body: { type: 'gap', cursor: 'fresh' } }, { status: 'pending' }],
    ['a gap without a cursor', { body: { type: 'gap', cursor: null } }],
    ['an end', { body: { type: 'terminated', error: { code: -32012, message: 'Forbidden' } } }],
    ['an early end', { body: { type: 'terminated', error: { code: 1, message: 'm' } } }, { status: 'pending' }],
    ['an end without a reason', { body: { type: 'terminated' } }],
    ['an unknown type', { body: { ...event(), type: 'other' } }],
    ['a wrong signature', { signedWith: `whsec_${Buffer.alloc(32, 8).toString('base64')}` }],
    ['a signature of old', { sentAt: -400 }],
    ['a signature of the future', { sentAt: 400 }],
    ['another subscription', { headers: { 'x-mcp-subscription-id': 'sub_2' } }],
    ['text', { headers: { 'content-type': 'text/plain' } }],
    ['a GET', { method: 'GET' }],
    ['too much', { body: event({ data: { text: 'x'.repeat(300_000) } }) }],
  ]

  it.each(rows)('[V12] %s gets the same answer and has the same effect', async (_what, delivery, more) => {
    const outcomes = await Promise.all(
      [peer, ours as unknown as typeof peer].map(async ({ experimental_createMCPEventWebhook: createWebhook }) => {
        const store = new MemoryStore()
        const heard: unknown[] = []
        const hear = async (one: unknown): Promise<void> => void heard.push(one)
        const options = { store, onEvent: hear, onGap: hear, onTerminated: hear }
        const base = await receiveWith(createWebhook(options as never))
        const url = `${base}?mcp_event_subscription=${KEY}`
        await store.set({ ...stored, delivery: { mode: 'webhook', url, secret: SECRET }, ...more } as never)
        const known: Known = { id: 'sub_1', name: comment.name, arguments: {}, url, secret: SECRET }
        const response = await new EventServer().deliver(known, delivery)
        const answer = [response.status, response.headers.get('allow'), await response.text()]
        return JSON.stringify([answer, heard, [...store.all.values()]]).replaceAll(base, 'HOOK')
      }),
    )
    expect(JSON.parse(outcomes[1]!)).toEqual(JSON.parse(outcomes[0]!))
  })
})
