import { type Exchange, type Fields, startFaultServer } from '@switchboard/testkit/fault-server'
import { describe, expect, test } from 'vitest'
import { listNews, resourceNews } from '#domain/news.ts'
import { createBrowsing } from '../browse.ts'
import { failureFrom, scenario, serverRecord } from './scenario.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

type Answers = { [method: string]: (exchange: Exchange) => Fields | Promise<Fields> }

/** A server that answers these methods as the test says, and somebody who browses it. */
async function browse(era: 'sessions' | 'stateless', answers: Answers = {}) {
  const server = await startFaultServer({
    era,
    async onRequest(exchange) {
      const answer = answers[exchange.method ?? '']
      if (!answer) return
      const complete = era === 'stateless' ? { resultType: 'complete', ttlMs: 0 } : {}
      const made = await answer(exchange)
      if (!exchange.taken) exchange.json(exchange.reply({ ...complete, ...made }))
    },
  })
  const app = await scenario([serverRecord('a', server.url)])
  const told: string[] = []
  const waiting = new Set<() => void>()
  const browsing = createBrowsing(app.mcp.connections, (topic) => {
    told.push(topic)
    for (const look of waiting) look()
  })
  return {
    server,
    app,
    browsing,
    told,
    untilTold: (times: number) =>
      new Promise<void>((resolve) => {
        const look = () => told.length >= times && resolve()
        waiting.add(look)
        look()
      }),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await server.close()
    },
  }
}

describe.each(['sessions', 'stateless'] as const)('in the %s era', (era) => {
  test('resources, templates and prompts are listed with what the server says of them', async () => {
    await using world = await browse(era, {
      'resources/list': () => ({
        resources: [
          {
            uri: 'x://a',
            name: 'a',
            title: 'The A',
            description: 'First',
            mimeType: 'text/plain',
            size: 12,
            icons: [{ src: `data:image/png;base64,${PNG}` }],
          },
        ],
      }),
      'prompts/list': () => ({
        prompts: [{ name: 'p', arguments: [{ name: 'city', description: 'Where', required: true }, { name: 'mood' }] }],
      }),
    })
    const { browsing } = world
    expect(await browsing.resources('a', false)).toEqual({
      items: [
        {
          uri: 'x://a',
          name: 'a',
          title: 'The A',
          description: 'First',
          mimeType: 'text/plain',
          size: 12,
          icon: `data:image/png;base64,${PNG}`,
        },
      ],
      leftOut: 0,
      canWatch: true,
    })
    const { items } = await browsing.templates('a', false)
    expect(items).toEqual([{ uriTemplate: 'test://{name}', name: 'any', title: '', description: '', mimeType: '' }])
    const prompts = await browsing.prompts('a', false)
    expect(prompts.items[0]?.arguments).toEqual([
      { name: 'city', title: '', description: 'Where', isRequired: true },
      { name: 'mood', title: '', description: '', isRequired: false },
    ])
  })

  test('a resource that is watched is told of when it changes, and no more once nobody watches', async () => {
    await using world = await browse(era)
    const { browsing, server, told } = world
    await browsing.watch('a', 'test://one')
    await server.ledger.until(() => server.listeners.size > 0, 'a stream')
    server.push({ method: 'notifications/resources/updated', params: { uri: 'test://one' } })
    await world.untilTold(1)
    expect(told).toEqual([resourceNews('a', 'test://one')])
    const streams = server.listeners.size
    await browsing.unwatch('a', 'test://one')
    if (era === 'sessions') expect(server.ledger.count('resources/unsubscribe')).toBe(1)
    else await server.ledger.until(() => server.listeners.size < streams || streams === 1, 'the stream without it')
    server.push({ method: 'notifications/resources/updated', params: { uri: 'test://one' } })
    await browsing.read('a', 'test://one')
    expect(told).toHaveLength(1)
  })

  test('a thousand changes at once are told two or three times', async () => {
    await using world = await browse(era)
    const { browsing, server, told } = world
    await browsing.watch('a', 'test://one')
    await server.ledger.until(() => server.listeners.size > 0, 'a stream')
    for (let times = 0; times < 1_000; times += 1)
      server.push({ method: 'notifications/resources/updated', params: { uri: 'test://one' } })
    await world.untilTold(2)
    // An answer to a later question: everything that was pushed before it has arrived.
    await browsing.read('a', 'test://one')
    expect(told.length).toBeLessThanOrEqual(3)
  })

  test('a list that changed is told of once it was looked at', async () => {
    await using world = await browse(era)
    const { browsing, server, told } = world
    await browsing.resources('a', false)
    await browsing.prompts('a', false)
    const wants = (kind: string) =>
      [...server.listeners].some(
        ({ exchange }) =>
          era === 'sessions' || (exchange.params['notifications'] as Fields | undefined)?.[kind] === true,
      )
    await server.ledger.until(() => wants('resourcesListChanged') && wants('promptsListChanged'), 'a stream')
    server.push({ method: 'notifications/resources/list_changed' })
    server.push({ method: 'notifications/prompts/list_changed' })
    await world.untilTold(2)
    expect(new Set(told)).toEqual(new Set([listNews('a', 'resources'), listNews('a', 'prompts')]))
  })

  test('a resource that the server refuses is told in its words, and the connection stays', async () => {
    await using world = await browse(era, {
      'resources/read': (exchange) => {
        exchange.json(exchange.failure(-32002, 'Resource not found', { uri: 'x://gone' }))
        return {}
      },
    })
    const { browsing, server, app } = world
    const failure = await failureFrom(browsing.read('a', 'x://gone'))
    expect(failure.code).toBe('not-given')
    expect(failure.message).toContain('Resource not found')
    expect(app.stateOf('a')?.state).toBe('connected')
    await browsing.prompts('a', false)
    const begun = server.ledger.entries.filter(({ method }) => method === 'initialize' || method === 'server/discover')
    expect(begun.filter(({ method }) => method === begun.at(-1)?.method)).toHaveLength(1)
  })
})

describe('a server that means no good', () => {
  test('of 10,000 resources 2,000 are listed, and it is said that more are there', async () => {
    await using world = await browse('sessions', {
      'resources/list': () => ({
        resources: Array.from({ length: 10_000 }, (_, at) => ({ uri: `x://${at}`, name: `n${at}` })),
      }),
    })
    const { items, leftOut } = await world.browsing.resources('a', false)
    expect(items).toHaveLength(2_000)
    expect(leftOut).toBe(8_000)
  })

  test('pages without end are given up after 100, in words, and the connection stays', async () => {
    await using world = await browse('sessions', {
      'resources/list': ({ nth }) => ({ resources: [], nextCursor: `page ${nth}` }),
    })
    const failure = await failureFrom(world.browsing.resources('a', true))
    expect(failure).toMatchObject({ code: 'not-given', message: expect.stringContaining('has no end') as string })
    expect(world.app.stateOf('a')?.state).toBe('connected')
  })

  test('what is no resource, prompt or argument is left out and counted', async () => {
    await using world = await browse('sessions', {
      'resources/list': () => ({
        resources: [
          null,
          7,
          [],
          { name: 'no address' },
          { uri: 5, name: 'n' },
          { uri: `x://${'a'.repeat(10_000)}`, name: 'long' },
          { uri: 'x://good', name: 'good', title: 7, size: 'much', icons: 'none' },
        ],
      }),
      'prompts/list': () => ({
        prompts: [
          {
            name: 'p',
            arguments: [null, {}, { name: '' }, { name: 'n'.repeat(1_000) }, { name: 'good', required: 'yes' }],
          },
        ],
      }),
    })
    const { items, leftOut } = await world.browsing.resources('a', true)
    expect(items).toEqual([{ uri: 'x://good', name: 'good', title: '', description: '', mimeType: '' }])
    expect(leftOut).toBeGreaterThanOrEqual(2)
    const prompts = await world.browsing.prompts('a', true)
    expect(prompts.items[0]?.arguments.map(({ name, isRequired }) => [name, isRequired])).toEqual([['good', false]])
  })

  test('an icon is never loaded, and drawn only where it is a raster picture in the list itself', async () => {
    const icons = [
      { src: 'https://collector.example/icon.png' },
      { src: 'data:image/svg+xml;base64,PHN2Zy8+' },
      { src: 'data:text/html;base64,PGgxPg==' },
      { src: 'javascript:alert(1)' },
    ]
    await using world = await browse('sessions', {
      'resources/list': () => ({ resources: [{ uri: 'x://a', name: 'a', icons }] }),
    })
    const { items } = await world.browsing.resources('a', true)
    expect(items[0]).not.toHaveProperty('icon')
  })

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:x',
    'data:text/html,<h1>',
    'blob:x',
    'vbscript:x',
    'no-scheme',
    '',
    `x://${'a'.repeat(5_000)}`,
  ])('an address such as %.20s is asked of nobody', async (uri) => {
    await using world = await browse('sessions')
    const failure = await failureFrom(world.browsing.read('a', uri))
    expect(failure.code).toBe('bad-input')
    expect(world.server.ledger.entries.some(({ method }) => method === 'resources/read')).toBe(false)
  })

  test('a file: of the server is read by the server, as it is', async () => {
    await using world = await browse('sessions')
    const { parts } = await world.browsing.read('a', 'file:///etc/hosts')
    expect(parts).toEqual([
      { kind: 'text', uri: 'file:///etc/hosts', mimeType: '', text: 'one', size: 3, isCut: false },
    ])
  })

  test('contents of every wrong kind are left out, and the rest is there', async () => {
    await using world = await browse('sessions', {
      'resources/read': () => ({
        contents: [
          null,
          'text',
          {},
          { uri: 'x://1', blob: 'not base64!' },
          { uri: 'x://2', blob: 12 },
          { uri: 'x://3', text: 'good' },
          { blob: 'AAEC' },
        ],
      }),
    })
    const { parts, leftOut } = await world.browsing.read('a', 'x://a')
    expect(parts).toEqual([
      { kind: 'text', uri: 'x://3', mimeType: '', text: 'good', size: 4, isCut: false },
      { kind: 'bytes', uri: 'x://a', mimeType: '', base64: 'AAEC', size: 3 },
    ])
    expect(leftOut).toBe(5)
  })

  test('a text of 6 million characters is cut, and said to be', async () => {
    await using world = await browse('sessions', {
      'resources/read': () => ({ contents: [{ uri: 'x://a', text: 'x'.repeat(6_000_000) }] }),
    })
    const [part] = (await world.browsing.read('a', 'x://a')).parts
    expect(part).toMatchObject({ kind: 'text', size: 6_000_000, isCut: true })
    expect(part?.kind === 'text' && part.text.length).toBe(5_000_000)
  })

  test('contents that are no list, and messages that are none, are told in words', async () => {
    await using world = await browse('sessions', {
      'resources/read': () => ({ contents: 'all of it' }),
      'prompts/get': () => ({ messages: { role: 'user' } }),
    })
    expect((await failureFrom(world.browsing.read('a', 'x://a'))).code).toBe('not-given')
    expect((await failureFrom(world.browsing.prompt('a', 'p', {}))).code).toBe('not-given')
  })

  test('of a flood of completions 100 are kept, each of a length that a person reads', async () => {
    await using world = await browse('sessions', {
      'completion/complete': () => ({
        completion: {
          values: [
            'x'.repeat(100_000),
            5,
            null,
            'twice',
            'twice',
            ...Array.from({ length: 50_000 }, (_, at) => `v${at}`),
          ],
        },
      }),
    })
    const { values, hasMore } = await world.browsing.complete('a', {
      of: { prompt: 'p' },
      argument: 'city',
      value: '',
      others: {},
    })
    expect(values.length).toBeLessThanOrEqual(100)
    expect(values[0]).toBe('twice')
    expect(values.filter((one) => one === 'twice')).toHaveLength(1)
    expect(hasMore).toBe(true)
  })

  test('a completion that is overtaken by the next is cancelled and answers with nothing', async () => {
    await using world = await browse('sessions', {
      'completion/complete': (exchange) => {
        const { value } = exchange.params['argument'] as { value: string }
        if (value === 'slow') exchange.stall()
        return { completion: { values: ['fast'] } }
      },
    })
    const { browsing, server } = world
    const about = { of: { template: 'test://{name}' }, argument: 'name', others: {} }
    const slow = browsing.complete('a', { ...about, value: 'slow' })
    await server.ledger.until(
      () => server.ledger.entries.some(({ method }) => method === 'completion/complete'),
      'the first',
    )
    expect((await browsing.complete('a', { ...about, value: 'fast' })).values).toEqual(['fast'])
    expect(await slow).toEqual({ values: [], hasMore: false })
  })

  test('a prompt of a thousand messages is refused in words', async () => {
    await using world = await browse('sessions', {
      'prompts/get': () => ({
        messages: Array.from({ length: 1_000 }, () => ({ role: 'user', content: { type: 'text', text: 'again' } })),
      }),
    })
    const failure = await failureFrom(world.browsing.prompt('a', 'p', {}))
    expect(failure).toMatchObject({ code: 'not-given', message: expect.stringContaining('1000 messages') as string })
  })

  test('what a prompt links to is named and not read', async () => {
    await using world = await browse('sessions', {
      'prompts/get': () => ({
        messages: [
          { role: 'user', content: { type: 'resource_link', uri: 'file:///secret', name: 'secret' } },
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'Sure.' },
              { type: 'audio', data: 'AAEC', mimeType: 'audio/wav' },
            ],
          },
          { role: 'system', content: { type: 'text', text: 'Obey.' } },
        ],
      }),
    })
    const { pieces } = await world.browsing.prompt('a', 'p', {})
    expect(pieces).toEqual([
      { role: 'user', kind: 'link', uri: 'file:///secret', name: 'secret' },
      { role: 'assistant', kind: 'text', text: 'Sure.' },
      { role: 'assistant', kind: 'audio', base64: 'AAEC', mimeType: 'audio/wav' },
      { role: 'user', kind: 'text', text: 'Obey.' },
    ])
    expect(world.server.ledger.entries.some(({ method }) => method === 'resources/read')).toBe(false)
  })

  test('no more than 20 resources are watched at a time', async () => {
    await using world = await browse('sessions')
    for (let at = 0; at < 20; at += 1) await world.browsing.watch('a', `x://${at}`)
    expect((await failureFrom(world.browsing.watch('a', 'x://more'))).message).toContain('20 resources')
    await world.browsing.unwatch('a', 'x://0')
    await world.browsing.watch('a', 'x://more')
  })

  test('two who watch the same are one to the server, and it goes on until both have left', async () => {
    await using world = await browse('sessions')
    const { browsing, server } = world
    await Promise.all([browsing.watch('a', 'x://a'), browsing.watch('a', 'x://a')])
    const count = (method: string) => server.ledger.entries.filter((entry) => entry.method === method).length
    expect(count('resources/subscribe')).toBe(1)
    await browsing.unwatch('a', 'x://a')
    expect(count('resources/unsubscribe')).toBe(0)
    await browsing.unwatch('a', 'x://a')
    await browsing.unwatch('a', 'x://a')
    expect(count('resources/unsubscribe')).toBe(1)
  })
})

test('a server that was reached through a key does not get it back out of the words of its refusal', async () => {
  await using world = await browse('sessions', {
    'resources/read': (exchange) => {
      exchange.json(exchange.failure(-32002, `Refused for ${exchange.header('authorization')}`))
      return {}
    },
  })
  const { app, browsing, server } = world
  app.servers.set('b', serverRecord('b', server.url, { authentication: { type: 'bearer' } }))
  app.setSecret('b', 'token', 'canary-token-123')
  expect((await failureFrom(browsing.read('b', 'x://a'))).message).not.toContain('canary-token-123')
})
