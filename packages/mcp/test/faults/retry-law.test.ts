import { createMCPClient, type MCPClient } from '@switchboard/mcp'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Exchange } from '@switchboard/testkit/fault-server'
import {
  clientOptions,
  closing,
  connect,
  type Era,
  eras,
  expectStillUsable,
  failureOf,
  quick,
  serve,
  serveAndConnect,
  stopwatch,
} from './scenario.ts'

type Deed = (client: MCPClient) => Promise<unknown>

const reads: Record<string, Deed> = {
  'tools/list': (client) => client.listTools(),
  'resources/list': (client) => client.listResources(),
  'resources/templates/list': (client) => client.listResourceTemplates(),
  'resources/read': (client) => client.readResource({ uri: 'test://one' }),
  'prompts/list': (client) => client.listPrompts(),
  'prompts/get': (client) => client.getPrompt({ name: 'hello' }),
  'completion/complete': (client) =>
    client.complete({ ref: { type: 'ref/prompt', name: 'hello' }, argument: { name: 'who', value: 'o' } }),
}

const call: Deed = (client) => client.callTool({ name: 'echo', arguments: { mark: 'once' } })
const repeatableCall: Deed = (client) =>
  client.callTool({ name: 'echo', arguments: { mark: 'many' }, options: { repeatable: true } })

/** Ways to fail after the request arrived; each runs the tool first, as a real server would have. */
const afterArrival: Record<string, (exchange: Exchange) => void | Promise<void>> = {
  'dropped before the head': (exchange) => {
    exchange.result()
    exchange.drop()
  },
  'reset before the head': (exchange) => {
    exchange.result()
    exchange.reset()
  },
  'dropped after the head': async (exchange) => {
    exchange.result()
    exchange.head(200, { 'content-type': 'application/json' }).flushHeaders()
    exchange.drop()
  },
  'dropped inside the JSON body': async (exchange) => {
    const text = JSON.stringify(exchange.reply())
    const response = exchange.head(200, { 'content-type': 'application/json', 'content-length': text.length })
    await new Promise<void>((done) => response.write(text.slice(0, 20), () => done()))
    exchange.drop()
  },
  'dropped inside the event stream': async (exchange) => {
    const text = `data: ${JSON.stringify(exchange.reply())}`
    const stream = exchange.stream()
    await stream.raw(text.slice(0, 30))
    stream.drop()
  },
  'ended without an answer': (exchange) => {
    exchange.result()
    exchange.stream().end()
  },
}

/** A fetch that fails, for this JSON-RPC method, as if nothing had left the machine. */
function refusing(method: string, times: number): { fetch: typeof fetch; tries: () => number } {
  let tries = 0
  return {
    tries: () => tries,
    fetch: (input, init) => {
      if (typeof init?.body === 'string' && init.body.includes(`"${method}"`) && ++tries <= times) {
        const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), {
          code: 'ECONNREFUSED',
          syscall: 'connect',
        })
        return Promise.reject(new TypeError('fetch failed', { cause }))
      }
      return fetch(input, init)
    },
  }
}

/** The first `times` requests with this method meet the fault. */
function faulty(method: string, times: number, fault: (exchange: Exchange) => void | Promise<void>) {
  return (exchange: Exchange) => (exchange.method === method && exchange.nth <= times ? fault(exchange) : undefined)
}

const busy =
  (status: number, headers: Record<string, string> = {}) =>
  (exchange: Exchange) =>
    exchange.send(status, headers)

describe.each(eras)('the retry law in the era of %s', (era: Era) => {
  describe.each(Object.entries(reads))('%s', (method, read) => {
    it(`[C.1 not sent] ${method} is tried again until it gets through`, async () => {
      const server = await serve({ era })
      const { fetch, tries } = refusing(method, 2)
      const client = await connect(server, { fetch })
      expect(await read(client)).toBeDefined()
      expect(tries()).toBe(3)
      expect(server.ledger.count(method)).toBe(1)
    })

    it.each([502, 503, 504])(`[C.1 %i] ${method} recovers silently`, async (status) => {
      const { server, client } = await serveAndConnect({ era, onRequest: faulty(method, 2, busy(status)) })
      expect(await read(client)).toBeDefined()
      expect(server.ledger.count(method)).toBe(3)
    })

    it(`[C.1 429] ${method} is tried again`, async () => {
      const { server, client } = await serveAndConnect({
        era,
        onRequest: faulty(method, 2, busy(429, { 'retry-after': '0' })),
      })
      expect(await read(client)).toBeDefined()
      expect(server.ledger.count(method)).toBe(3)
    })

    it.each(Object.entries(afterArrival))(`[C.1 sent, no answer] ${method} %s is asked again`, async (_name, fault) => {
      const { server, client } = await serveAndConnect({ era, onRequest: faulty(method, 2, fault) })
      expect(await read(client)).toBeDefined()
      expect(server.ledger.count(method)).toBe(3)
    })
  })

  it('[C.1 429] a read waits as long as it was told', async () => {
    const { server, client } = await serveAndConnect({
      era,
      onRequest: faulty('tools/list', 1, busy(429, { 'retry-after': '1' })),
    })
    expect((await client.listTools()).tools).toHaveLength(1)
    const [first, second] = server.ledger.of('tools/list')
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(950)
  })

  it('[C.1] a read gives up after its retries, and its error has the status', async () => {
    const { server, client } = await serveAndConnect({ era, onRequest: faulty('tools/list', Infinity, busy(503)) })
    const error = await failureOf(client.listTools(), { server, deed: 'tools/list' })
    expect(error.statusCode).toBe(503)
    expect(error.isOutcomeUnknown()).toBe(false)
    expect(server.ledger.count('tools/list')).toBe(4)
    await expectStillUsable(client, server)
  })

  it('[C.1] maxRetries: 0 means once', async () => {
    const { server, client } = await serveAndConnect(
      { era, onRequest: faulty('tools/list', Infinity, busy(503)) },
      { maxRetries: 0 },
    )
    await failureOf(client.listTools(), { server, deed: 'tools/list' })
    expect(server.ledger.count('tools/list')).toBe(1)
    server.onRequest = faulty('prompts/list', Infinity, (exchange) => exchange.drop())
    await failureOf(client.listPrompts(), { server, deed: 'prompts/list' })
    expect(server.ledger.count('prompts/list')).toBe(1)
  })

  it('[C.1] the hard cap holds over all tries together', async () => {
    const { server, client } = await serveAndConnect({
      era,
      onRequest: faulty('tools/list', Infinity, async (exchange) => {
        if (exchange.nth > 1) return exchange.stall()
        await new Promise((resolve) => setTimeout(resolve, 1800))
        exchange.drop()
      }),
    })
    const watch = stopwatch(100)
    watch.mark()
    const error = await failureOf(client.listTools({ options: { maxTotalTimeout: 2000 } }), {
      server,
      deed: 'tools/list',
    })
    // A second try with a time of its own would take it to 3800.
    expect(watch.elapsed()).toBeLessThan(2600)
    expect(error.isTimeout()).toBe(true)
    expect(server.ledger.count('tools/list')).toBeLessThanOrEqual(2)
  })

  it('[C.1] a read whose time is up before its next try is not sent again', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.99)
    onTestFinished(() => random.mockRestore())
    const { server, client } = await serveAndConnect(
      { era, onRequest: faulty('tools/list', Infinity, (exchange) => exchange.drop()) },
      { backoff: { baseMs: 60_000, capMs: 60_000 } },
    )
    const error = await failureOf(client.listTools({ options: { maxTotalTimeout: 1500 } }), {
      server,
      deed: 'tools/list',
    })
    expect(error.isTimeout()).toBe(true)
    expect(error.isOutcomeUnknown()).toBe(false)
    expect(server.ledger.count('tools/list')).toBe(1)
    await expectStillUsable(client, server)
  })

  it.each([400, 405, 410, 422, 500, 501])('[C.1] a read refused with %i is not asked again', async (status) => {
    const { server, client } = await serveAndConnect({ era, onRequest: faulty('tools/list', Infinity, busy(status)) })
    const error = await failureOf(client.listTools(), { server, deed: 'tools/list' })
    expect(error.statusCode).toBe(status)
    expect(server.ledger.count('tools/list')).toBe(1)
    await expectStillUsable(client, server)
  })

  describe('tools/call', () => {
    it('[C.1 not sent] is tried again: nothing was executed', async () => {
      const server = await serve({ era })
      const { fetch, tries } = refusing('tools/call', 2)
      const client = await connect(server, { fetch })
      expect(await call(client)).toMatchObject({ content: [{ text: 'once' }] })
      expect(tries()).toBe(3)
      expect(server.ledger.executions).toHaveLength(1)
    })

    it('[C.1 not sent] that never gets out is a network error and not an unknown outcome', async () => {
      const server = await serve({ era })
      const { fetch, tries } = refusing('tools/call', Infinity)
      const client = await connect(server, { fetch })
      const error = await failureOf(call(client), { server, deed: 'tools/call' })
      expect(error.isNetworkError()).toBe(true)
      expect(error.code).toBe(-32001)
      expect(error.isOutcomeUnknown()).toBe(false)
      expect(tries()).toBe(4)
      expect(server.ledger.count('tools/call')).toBe(0)
    })

    it.each(['0', '1'])('[C.1 429] with Retry-After %s is sent once more', async (seconds) => {
      const { server, client } = await serveAndConnect({
        era,
        onRequest: faulty('tools/call', 1, busy(429, { 'retry-after': seconds })),
      })
      expect(await call(client)).toMatchObject({ content: [{ text: 'once' }] })
      expect(server.ledger.count('tools/call')).toBe(2)
      expect(server.ledger.executions).toHaveLength(1)
    })

    it('[C.1 429] twice is an error: one more try, not a loop', async () => {
      const { server, client } = await serveAndConnect({
        era,
        onRequest: faulty('tools/call', Infinity, busy(429, { 'retry-after': '0' })),
      })
      const error = await failureOf(call(client), { server, deed: 'tools/call' })
      expect(error.statusCode).toBe(429)
      expect(error.isOutcomeUnknown()).toBe(false)
      expect(server.ledger.count('tools/call')).toBe(2)
      await expectStillUsable(client, server)
    })

    it('[C.1 429] with Retry-After above a minute is left to the user', async () => {
      const { server, client } = await serveAndConnect({
        era,
        onRequest: faulty('tools/call', Infinity, busy(429, { 'retry-after': '61' })),
      })
      const error = await failureOf(call(client), { server, deed: 'tools/call' })
      expect(error).toMatchObject({ statusCode: 429, retryAfterMs: 61_000 })
      expect(server.ledger.count('tools/call')).toBe(1)
    })

    it.each([500, 502, 503, 504])('[C.1 %i] is never sent again, even with Retry-After', async (status) => {
      const { server, client } = await serveAndConnect({
        era,
        onRequest: faulty('tools/call', Infinity, (exchange) => {
          exchange.result()
          exchange.send(status, { 'retry-after': '0' })
        }),
      })
      const error = await failureOf(call(client), { server, deed: 'tools/call' })
      expect(error.statusCode).toBe(status)
      expect(server.ledger.count('tools/call')).toBe(1)
      expect(server.ledger.executions).toHaveLength(1)
      await expectStillUsable(client, server)
    })

    it.each(Object.entries(afterArrival))(
      '[C.1 sent, no answer] %s is outcome unknown, at once',
      async (_name, fault) => {
        const watch = stopwatch()
        const { server, client } = await serveAndConnect({
          era,
          onRequest: faulty('tools/call', Infinity, async (exchange) => {
            await fault(exchange)
            watch.mark()
          }),
        })
        const error = await failureOf(call(client), { server, deed: 'tools/call' })
        expect(watch.elapsed()).toBeLessThan(250)
        expect(error.isOutcomeUnknown()).toBe(true)
        expect(server.ledger.count('tools/call')).toBe(1)
        expect(server.ledger.executions).toHaveLength(1)
        await expectStillUsable(client, server)
      },
    )

    it.each([{ readOnlyHint: true }, { idempotentHint: true }])(
      '[C.1] what a server says of itself (%o) does not make its tool repeatable',
      async (annotations) => {
        const { server, client } = await serveAndConnect({
          era,
          tools: { echo: { annotations } },
          onRequest: faulty('tools/call', Infinity, (exchange) => {
            exchange.result()
            exchange.drop()
          }),
        })
        await client.listTools()
        const error = await failureOf(call(client), { server, deed: 'tools/call' })
        expect(error.isOutcomeUnknown()).toBe(true)
        expect(server.ledger.executions).toHaveLength(1)
      },
    )
  })

  describe('tools/call that the user calls repeatable', () => {
    it('[C.1 not sent] is tried again', async () => {
      const server = await serve({ era })
      const { fetch, tries } = refusing('tools/call', 2)
      const client = await connect(server, { fetch })
      expect(await repeatableCall(client)).toMatchObject({ content: [{ text: 'many' }] })
      expect(tries()).toBe(3)
    })

    it.each([502, 503, 504])('[C.1 %i] is tried again', async (status) => {
      const { server, client } = await serveAndConnect({ era, onRequest: faulty('tools/call', 2, busy(status)) })
      expect(await repeatableCall(client)).toMatchObject({ content: [{ text: 'many' }] })
      expect(server.ledger.count('tools/call')).toBe(3)
    })

    it('[C.1 429] is tried again', async () => {
      const { server, client } = await serveAndConnect({
        era,
        onRequest: faulty('tools/call', 2, busy(429, { 'retry-after': '0' })),
      })
      expect(await repeatableCall(client)).toMatchObject({ content: [{ text: 'many' }] })
      expect(server.ledger.count('tools/call')).toBe(3)
    })

    it.each(Object.entries(afterArrival))('[C.1 sent, no answer] %s is tried again', async (_name, fault) => {
      const { server, client } = await serveAndConnect({ era, onRequest: faulty('tools/call', 2, fault) })
      expect(await repeatableCall(client)).toMatchObject({ content: [{ text: 'many' }] })
      expect(server.ledger.count('tools/call')).toBe(3)
    })

    it('[C.1] is tried three more times at most', async () => {
      const { server, client } = await serveAndConnect({
        era,
        onRequest: faulty('tools/call', Infinity, (exchange) => {
          exchange.result()
          exchange.drop()
        }),
      })
      const error = await failureOf(repeatableCall(client), { server, deed: 'tools/call' })
      expect(error.isNetworkError()).toBe(true)
      expect(server.ledger.count('tools/call')).toBe(4)
    })
  })

  it('[C.1] requests that are sent again by the law are the same request, or a new one with a new id', async () => {
    const { server, client } = await serveAndConnect({ era, onRequest: faulty('tools/list', 1, busy(503)) })
    await client.listTools()
    const [first, second] = server.ledger.of('tools/list')
    expect(second?.params).toEqual(first?.params)
  })
})

describe('the first contact', () => {
  const first: Record<Era, string> = { sessions: 'initialize', stateless: 'server/discover' }

  it.each(eras)('[C.1 503] the handshake of %s is tried again', async (era) => {
    const server = await serve({ era, onRequest: faulty(first[era], 2, busy(503)) })
    const client = await connect(server)
    expect(await call(client)).toBeDefined()
    expect(server.ledger.count(first[era])).toBe(3)
  })

  it.each(eras)('[C.1 sent, no answer] the handshake of %s is tried again', async (era) => {
    const server = await serve({
      era,
      onRequest: faulty(first[era], 1, (exchange) => {
        exchange.drop()
      }),
    })
    const client = await connect(server)
    expect(client.getProtocolVersion()).toBe(era === 'sessions' ? '2025-11-25' : '2026-07-28')
    expect(await call(client)).toBeDefined()
    expect(server.ledger.count(first[era])).toBe(2)
  })

  it.each(eras)('[C.1 not sent] the handshake of %s fails as a network error when nobody is there', async (era) => {
    const server = await serve({ era })
    await server.stop()
    const error = await failureOf(createMCPClient(clientOptions(server)), undefined)
    expect(error.message).toContain(server.host)
    expect(error.isNetworkError()).toBe(true)
    expect(error.code).toBe(-32001)
  })

  it.each([
    ['sessions', 401],
    ['stateless', 401],
    ['sessions', 403],
    ['stateless', 403],
  ] as const)('[C.1] the handshake of %s refused with %i fails at once, once', async (era, status) => {
    const server = await serve({ era, onRequest: (exchange) => exchange.send(status) })
    const error = await failureOf(createMCPClient(clientOptions(server)), undefined)
    expect(error.statusCode).toBe(status)
    expect(error.message).toContain(server.host)
    expect(server.ledger.count(first[era])).toBe(1)
  })
})

describe('the streams that stay open', () => {
  it('[C.1 GET stream] is opened again after it broke, after 503 and after 429, with backoff, and stops with the client', async () => {
    const { server, client } = await serveAndConnect({
      era: 'sessions',
      getStream: true,
      onRequest: (exchange) => {
        if (exchange.httpMethod !== 'GET') return
        if (exchange.nth === 2) exchange.send(503)
        if (exchange.nth === 3) exchange.send(429, { 'retry-after': '0' })
        if (exchange.nth === 4) exchange.drop()
      },
    })
    const heard: string[] = []
    client.onNotification(({ method }) => heard.push(method))
    await client.openStream()
    await server.ledger.until(() => server.listeners.size === 1, 'an open GET stream')
    for (const { stream } of server.listeners) stream.drop()
    await server.ledger.until(() => server.ledger.gets === 5 && server.listeners.size === 1, 'the fifth GET')
    server.push({ method: 'notifications/tools/list_changed' })
    await server.ledger.until(() => heard.length > 0 || poll(server), 'the notification')
    expect(heard).toEqual(['notifications/tools/list_changed'])
    await client.close()
    expect(server.ledger.gets).toBe(5)
  })

  it('[C.1 listen] subscriptions/listen is opened again after it broke', async () => {
    const { server, client } = await serveAndConnect({
      era: 'stateless',
      onRequest: (exchange) => {
        if (exchange.method === 'subscriptions/listen' && exchange.nth === 2) exchange.send(503)
      },
    })
    const heard: string[] = []
    client.onNotification(({ method }) => heard.push(method))
    await client.openStream()
    await server.ledger.until(() => server.listeners.size === 1, 'an open listen stream')
    for (const { stream } of server.listeners) stream.drop()
    await server.ledger.until(
      () => server.ledger.count('subscriptions/listen') === 3 && server.listeners.size === 1,
      'the third subscriptions/listen',
    )
    server.push({ method: 'notifications/tools/list_changed' })
    await server.ledger.until(
      () => heard.includes('notifications/tools/list_changed') || poll(server),
      'the notification',
    )
    const [first, , third] = server.ledger.of('subscriptions/listen').map((entry) => entry.id)
    expect(third, 'a request that was accepted is asked again under a new id').not.toBe(first)
  })
})

/** Lets `until` look again although nothing reached the server meanwhile. */
function poll(server: { ledger: { changed(): void } }): false {
  setTimeout(() => server.ledger.changed(), 5)
  return false
}

describe('sign-in', () => {
  function tokens(...all: string[]) {
    const challenges: { status: number; wwwAuthenticate?: string | undefined; token?: string | undefined }[] = []
    let index = 0
    return {
      challenges,
      source: {
        token: () => Promise.resolve(all[index]),
        challenge: (challenge: (typeof challenges)[number]) => {
          challenges.push(challenge)
          index++
          return Promise.resolve(index < all.length)
        },
      },
    }
  }
  const wants = (token: string, method: string) => (exchange: Exchange) => {
    if (exchange.method !== method && exchange.httpMethod !== method) return
    if (exchange.header('authorization') === `Bearer ${token}`) return
    exchange.send(401, { 'www-authenticate': 'Bearer realm="canary-realm", error="invalid_token"' })
  }

  describe.each(eras)('in the era of %s', (era) => {
    const deeds: [string, string, Deed][] = [
      ['a read', 'tools/list', (client) => client.listTools()],
      ['a call', 'tools/call', call],
      ['a repeatable call', 'tools/call', repeatableCall],
    ]
    it.each(deeds)(
      '[C.1 401][R-14] a 401 to %s (%s) asks for a new token once and sends it again',
      async (_name, method, deed) => {
        const { challenges, source } = tokens('canary-old', 'canary-new')
        const { server, client } = await serveAndConnect({ era }, { tokenSource: source })
        server.onRequest = wants('canary-new', method)
        expect(await deed(client)).toBeDefined()
        expect(server.ledger.of(method).map((entry) => entry.headers['authorization'])).toEqual([
          'Bearer canary-old',
          'Bearer canary-new',
        ])
        expect(challenges).toHaveLength(1)
        expect(challenges[0]).toMatchObject({ status: 401, token: 'canary-old' })
        expect(challenges[0]?.wwwAuthenticate).toContain('invalid_token')
      },
    )

    it('[R-14] a second 401 is the end: no loop', async () => {
      const { challenges, source } = tokens('canary-1', 'canary-2', 'canary-3', 'canary-4')
      const { server, client } = await serveAndConnect({ era }, { tokenSource: source })
      server.onRequest = wants('never', 'tools/call')
      const error = await failureOf(call(client), { server, deed: 'tools/call' })
      expect(error.isUnauthorized()).toBe(true)
      expect(error.statusCode).toBe(401)
      expect(error.isOutcomeUnknown()).toBe(false)
      expect(server.ledger.count('tools/call')).toBe(2)
      expect(challenges).toHaveLength(1)
    })

    it('[R-14] without anybody to ask, a 401 is an error at once', async () => {
      const { server, client } = await serveAndConnect({ era })
      server.onRequest = wants('never', 'tools/call')
      const error = await failureOf(call(client), { server, deed: 'tools/call' })
      expect(error.isUnauthorized()).toBe(true)
      expect(server.ledger.count('tools/call')).toBe(1)
      await expectStillUsable(client, server)
    })

    it('[R-14] ten calls refused at once ask for one new token', async () => {
      const { challenges, source } = tokens('canary-old', 'canary-new')
      const { server, client } = await serveAndConnect({ era }, { tokenSource: source })
      server.onRequest = wants('canary-new', 'tools/call')
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, n) => client.callTool({ name: 'echo', arguments: { mark: `call-${n}` } })),
      )
      expect(results).toHaveLength(10)
      expect(challenges).toHaveLength(1)
      expect(server.ledger.executions).toHaveLength(10)
      expect(server.ledger.mostExecutionsOfOneCall()).toBe(1)
    })

    it('[R-14] a token source that throws gives a typed error', async () => {
      let broken = false
      const { server, client } = await serveAndConnect(
        { era },
        {
          tokenSource: {
            token: () => (broken ? Promise.reject(new Error('the vault is locked')) : Promise.resolve('canary-token')),
            challenge: () => Promise.reject(new Error('the window was closed')),
          },
        },
      )
      server.onRequest = wants('never', 'tools/call')
      const refused = await failureOf(call(client), { server, deed: 'tools/call' })
      expect(refused.isUnauthorized()).toBe(true)
      broken = true
      const locked = await failureOf(call(client), { server, deed: 'tools/call' })
      expect(locked.isOutcomeUnknown()).toBe(false)
      expect(server.ledger.executions).toHaveLength(0)
      broken = false
      await expectStillUsable(client, server)
    })
  })

  it('[R-14] a 401 on the GET stream asks once and opens it again', async () => {
    const { challenges, source } = tokens('canary-old', 'canary-new')
    const { server, client } = await serveAndConnect({ era: 'sessions', getStream: true }, { tokenSource: source })
    server.onRequest = wants('canary-new', 'GET')
    await client.openStream()
    await server.ledger.until(() => server.listeners.size === 1, 'an open GET stream')
    expect(server.ledger.gets).toBe(2)
    expect(challenges).toHaveLength(1)
  })

  it.each(eras)('[R-15] a 403 for more scope asks once; the second one is an error (%s)', async (era) => {
    const { challenges, source } = tokens('canary-1', 'canary-2', 'canary-3')
    const { server, client } = await serveAndConnect({ era }, { tokenSource: source })
    server.onRequest = faulty('tools/call', Infinity, (exchange) =>
      exchange.send(403, { 'www-authenticate': 'Bearer error="insufficient_scope", scope="write"' }),
    )
    const error = await failureOf(call(client), { server, deed: 'tools/call' })
    expect(error.statusCode).toBe(403)
    expect(challenges).toHaveLength(1)
    expect(challenges[0]?.wwwAuthenticate).toContain('scope="write"')
    expect(server.ledger.count('tools/call')).toBe(2)
    expect(server.ledger.executions).toHaveLength(0)
  })

  it('[R-15] a 403 without a challenge is nobody’s invitation to sign in', async () => {
    const { challenges, source } = tokens('canary-1', 'canary-2')
    const { server, client } = await serveAndConnect({ era: 'sessions' }, { tokenSource: source })
    server.onRequest = faulty('tools/call', Infinity, busy(403))
    const error = await failureOf(call(client), { server, deed: 'tools/call' })
    expect(error.statusCode).toBe(403)
    expect(challenges).toHaveLength(0)
    expect(server.ledger.count('tools/call')).toBe(1)
    expect(server.ledger.executions).toHaveLength(0)
  })
})

describe('[R-16] Retry-After', () => {
  const inMs = (ms: number): string => new Date(Date.now() + ms).toUTCString()
  const values: [string, () => string, boolean][] = [
    ['seconds', () => '1', true],
    ['zero', () => '0', true],
    ['a date soon', () => inMs(1000), true],
    ['a date gone by', () => inMs(-86_400_000), true],
    ['above a minute', () => '120', false],
    ['a thousand million', () => '1000000000', false],
    ['a date in a century', () => inMs(3_155_760_000_000), false],
  ]
  it.each(values)('%s: a 429 to a tool call is sent again when it is at most a minute', async (_name, value, again) => {
    const { server, client } = await serveAndConnect({
      era: 'sessions',
      onRequest: (exchange) => {
        if (exchange.method === 'tools/call' && exchange.nth === 1) exchange.send(429, { 'retry-after': value() })
      },
    })
    const outcome = call(client)
    if (again) {
      expect(await outcome).toBeDefined()
      expect(server.ledger.count('tools/call')).toBe(2)
    } else {
      const error = await failureOf(outcome, { server, deed: 'tools/call' })
      expect(error.retryAfterMs).toBeGreaterThan(60_000)
      expect(error.retryAfterMs).toBeLessThanOrEqual(600_000)
      expect(server.ledger.count('tools/call')).toBe(1)
    }
    expect(server.ledger.executions.length).toBe(again ? 1 : 0)
  })

  it.each(['garbage', '1e9', '-5', '', 'NaN', '0x10', '1, 2'])(
    '%j is not a time: a list is tried again by our own pace',
    async (value) => {
      const { server, client } = await serveAndConnect({
        era: 'sessions',
        onRequest: (exchange) => {
          if (exchange.method === 'tools/list' && exchange.nth === 1) exchange.send(503, { 'retry-after': value })
        },
      })
      expect(await client.listTools()).toBeDefined()
      expect(server.ledger.count('tools/list')).toBe(2)
    },
  )

  it('longer than the call may take: the list fails in time and says when', async () => {
    const { server, client } = await serveAndConnect({
      era: 'sessions',
      onRequest: (exchange) => {
        if (exchange.method === 'tools/list') exchange.send(503, { 'retry-after': '1000000000' })
      },
    })
    const error = await failureOf(client.listTools({ options: { timeout: 400, maxTotalTimeout: 400 } }), {
      server,
      deed: 'tools/list',
    })
    expect(error.retryAfterMs ?? 0).toBeLessThanOrEqual(600_000)
    expect(error.statusCode === 503 || error.isTimeout()).toBe(true)
    expect(server.ledger.count('tools/list')).toBe(1)
  })
})

describe('the clock of the law', () => {
  it('[C.1] a client that is closed while it waits to try again stops waiting', async () => {
    const server = await serve({
      era: 'sessions',
      onRequest: (exchange) => {
        if (exchange.method === 'tools/list') exchange.send(503, { 'retry-after': '30' })
      },
    })
    const client = closing(await createMCPClient(clientOptions(server, { backoff: quick })))
    const list = client.listTools()
    const failed = failureOf(list, undefined)
    await server.ledger.untilCount('tools/list', 1)
    await server.ledger.until(() => server.ledger.of('tools/list')[0]?.finished === true, 'the 503 being sent')
    await client.close()
    await failed
    expect(server.ledger.count('tools/list')).toBe(1)
  })

  it('[C.1] a client that is closed between two tries of a lost read stops at once', async () => {
    const server = await serve({
      era: 'sessions',
      onRequest: faulty('tools/list', Infinity, (exchange) => exchange.drop()),
    })
    const client = await connect(server, { backoff: { baseMs: 20_000, capMs: 20_000 } })
    const failed = failureOf(client.listTools(), undefined)
    await server.ledger.until(() => server.ledger.of('tools/list')[0]?.disconnected === true, 'the list being dropped')
    const watch = stopwatch()
    watch.mark()
    await client.close()
    await failed
    expect(watch.elapsed()).toBeLessThan(1000)
    expect(server.ledger.count('tools/list')).toBe(1)
  })

  it('[C.1] a call that is aborted while it waits to try again is not sent again', async () => {
    const { server, client } = await serveAndConnect({
      era: 'sessions',
      onRequest: (exchange) => {
        if (exchange.method === 'tools/call') exchange.send(429, { 'retry-after': '30' })
      },
    })
    const controller = new AbortController()
    const pending = client.callTool({ name: 'echo', arguments: {}, options: { signal: controller.signal } })
    const outcome = pending.catch((error: unknown) => error)
    await server.ledger.until(() => server.ledger.of('tools/call')[0]?.finished === true, 'the 429 being sent')
    const reason = new Error('changed my mind')
    controller.abort(reason)
    expect(await outcome).toBe(reason)
    expect(server.ledger.count('tools/call')).toBe(1)
  })
})
