import { createMCPClient, type MCPClient } from '@switchboard/mcp'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '@switchboard/testkit/fault-server'
import {
  breath,
  clientOptions,
  closing,
  connect,
  expectStillUsable,
  failureOf,
  serve,
  serveAndConnect,
  transportTo,
} from './scenario.ts'

const call = { name: 'echo', arguments: { mark: 'once' } }
const isCall = (exchange: Exchange) => exchange.method === 'tools/call'
const sessionOf = (entry: { headers: Record<string, unknown> } | undefined) => entry?.headers['mcp-session-id']

describe('[R-12] the server has forgotten the session', () => {
  it('[0b] before a call: one new session, the refused call sent again once', async () => {
    const expired: unknown[] = []
    const changes: unknown[] = []
    const { server, client } = await serveAndConnect(
      { era: 'sessions' },
      { onSessionExpired: (id) => expired.push(id), onSessionIdChange: (id) => changes.push(id) },
    )
    const before = client.getSessionId()
    server.forgetSessions()
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'once' }] })
    expect(server.ledger.initializes).toBe(2)
    expect(server.ledger.count('notifications/initialized')).toBe(2)
    expect(server.ledger.count('tools/call')).toBe(2)
    expect(server.ledger.executions).toHaveLength(1)
    const [refused, repeated] = server.ledger.of('tools/call')
    expect(sessionOf(refused)).toBe(before)
    expect(sessionOf(repeated)).toBe(client.getSessionId())
    expect(client.getSessionId()).not.toBe(before)
    expect(expired).toEqual([before])
    expect(changes.at(-1)).toBe(client.getSessionId())
    expect(sessionOf(server.ledger.of('initialize')[1])).toBeUndefined()
  })

  it.each([404, 400])(
    'and the new one too before it has begun (HTTP %i): another is made, the call runs once',
    async (status) => {
      const { server, client } = await serveAndConnect({ era: 'sessions' })
      server.forgetSessions()
      server.onRequest = (exchange) => {
        if (exchange.method !== 'notifications/initialized' || server.ledger.initializes !== 2) return
        server.forgetSessions()
        if (status === 400) exchange.send(400)
      }
      expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'once' }] })
      expect(server.ledger.initializes).toBe(3)
      expect(server.ledger.executions).toHaveLength(1)
      expect(server.sessions.size).toBe(1)
    },
  )

  it('and every new one: that is tried twice, and said', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    server.forgetSessions()
    server.onRequest = ({ method }) => {
      if (method === 'notifications/initialized') server.forgetSessions()
    }
    const failure = await failureOf(client.callTool(call), { server, deed: 'tools/call' })
    expect(failure).toMatchObject({ reason: 'session-expired' })
    expect(server.ledger.initializes).toBe(3)
    expect(server.ledger.executions).toHaveLength(0)
    await expectStillUsable(client, server)
  })

  it('20 parallel calls cause exactly one new session, and each runs once', async () => {
    const expired: unknown[] = []
    const { server, client } = await serveAndConnect(
      { era: 'sessions' },
      { onSessionExpired: (id) => expired.push(id) },
    )
    server.forgetSessions()
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) => client.callTool({ name: 'echo', arguments: { mark: `call-${n}` } })),
    )
    expect(results.map((result) => result.content)).toEqual(
      Array.from({ length: 20 }, (_, n) => [{ type: 'text', text: `call-${n}` }]),
    )
    expect(server.ledger.initializes).toBe(2)
    expect(server.sessions.size).toBe(1)
    expect(server.ledger.executions).toHaveLength(20)
    expect(server.ledger.mostExecutionsOfOneCall()).toBe(1)
    expect(server.ledger.count('tools/call')).toBe(40)
    expect(expired).toHaveLength(1)
  })

  it('20 calls whose refusals trickle in around a slow new session still cause exactly one', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    server.forgetSessions()
    const refusals: (() => void)[] = []
    server.onRequest = async (exchange) => {
      if (exchange.method === 'initialize') {
        // Half of the refusals arrive before the new session is there, half after.
        for (const refuse of refusals.splice(0, 10)) refuse()
        await breath()
      } else if (isCall(exchange) && !server.sessions.has(String(exchange.header('mcp-session-id')))) {
        if (server.ledger.initializes === 1 && refusals.length < 19) await new Promise<void>((go) => refusals.push(go))
      } else if (exchange.method === 'notifications/initialized') for (const refuse of refusals.splice(0)) refuse()
    }
    const calls = Array.from({ length: 20 }, (_, n) =>
      client.callTool({ name: 'echo', arguments: { mark: `call-${n}` } }),
    )
    await Promise.all(calls)
    expect(server.ledger.initializes).toBe(2)
    expect(server.ledger.executions).toHaveLength(20)
    expect(server.ledger.mostExecutionsOfOneCall()).toBe(1)
  })

  const deeds: [string, string, (client: MCPClient) => Promise<unknown>][] = [
    ['a list', 'tools/list', (client) => client.listTools(true)],
    ['a resource', 'resources/read', (client) => client.readResource({ uri: 'test://one' })],
    ['a call', 'tools/call', (client) => client.callTool(call)],
    ['a repeatable call', 'tools/call', (client) => client.callTool({ ...call, options: { repeatable: true } })],
  ]
  it.each(deeds)('[C.1 404] %s (%s) is sent again once in the new session', async (_name, method, deed) => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    server.forgetSessions()
    expect(await deed(client)).toBeDefined()
    expect(server.ledger.initializes).toBe(2)
    expect(server.ledger.count(method)).toBe(2)
    expect(server.ledger.executions.length).toBeLessThanOrEqual(1)
  })

  it('a server that forgets every session is not asked for ever', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    server.onRequest = (exchange) => {
      if (isCall(exchange)) exchange.json(exchange.failure(-32001, 'Session not found'), 404)
    }
    const error = await failureOf(client.callTool(call), { server, deed: 'tools/call' })
    expect(error.isSessionExpired()).toBe(true)
    expect(error.code).toBe(-32000)
    expect(error.isOutcomeUnknown()).toBe(false)
    expect(server.ledger.count('tools/call')).toBe(2)
    expect(server.ledger.initializes).toBe(2)
    await expectStillUsable(client, server)
  })

  it('the new session is refused: every waiting call fails typed, and the next one tries again', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    server.forgetSessions()
    server.onRequest = (exchange) => {
      if (exchange.method === 'initialize') exchange.json(exchange.failure(-32050, 'no room'), 400)
    }
    const errors = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        failureOf(client.callTool({ name: 'echo', arguments: { mark: `call-${n}` } }), { server, deed: 'tools/call' }),
      ),
    )
    for (const error of errors) expect(error.isSessionExpired()).toBe(true)
    expect(server.ledger.executions).toHaveLength(0)
    await expectStillUsable(client, server)
  })

  it('during a call: its stream is gone with the session, so the outcome is unknown and nothing is sent again', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      exchange.result()
      const stream = exchange.stream({ record: true })
      await stream.prime()
      server.forgetSessions()
      stream.drop()
    }
    const error = await failureOf(client.callTool(call), { server, deed: 'tools/call' })
    expect(error.isOutcomeUnknown()).toBe(true)
    expect(server.ledger.count('tools/call')).toBe(1)
    expect(server.ledger.executions).toHaveLength(1)
    await expectStillUsable(client, server)
  })

  it('on the GET stream: one new session and an open stream in it', async () => {
    const server = await serve({ era: 'sessions', getStream: true })
    const client = await connect(server)
    await client.openStream()
    await server.ledger.until(() => server.listeners.size === 1, 'an open GET stream')
    server.forgetSessions()
    for (const { stream } of server.listeners) stream.drop()
    await server.ledger.until(
      () => server.ledger.initializes === 2 && server.listeners.size === 1,
      'a stream in the new session',
    )
    expect([...server.listeners][0]?.exchange.header('mcp-session-id')).toBe(client.getSessionId())
    expect(server.sessions.size).toBe(1)
  })

  it('what was subscribed to is subscribed to again, and the news arrive', async () => {
    const server = await serve({ era: 'sessions', getStream: true })
    const client = await connect(server)
    let news = 0
    await client.subscribe('test://one', () => news++)
    expect(server.ledger.count('resources/subscribe')).toBe(1)
    server.forgetSessions()
    for (const { stream } of server.listeners) stream.drop()
    await client.callTool(call)
    await server.ledger.until(
      () => server.ledger.count('resources/subscribe') === 2 && server.listeners.size === 1,
      'the subscription in the new session',
    )
    expect(sessionOf(server.ledger.of('resources/subscribe')[1])).toBe(client.getSessionId())
    server.push({ method: 'notifications/resources/updated', params: { uri: 'test://one' } })
    const start = performance.now()
    while (news === 0 && performance.now() - start < 3000) await breath()
    expect(news).toBe(1)
    expect(server.ledger.initializes).toBe(2)
  })

  it('on DELETE: closing is fine', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    server.forgetSessions()
    await client.close()
    expect(server.ledger.deletes).toBe(1)
    expect(server.ledger.initializes).toBe(1)
  })

  it.each([405, 500, 503])('a DELETE answered with %i: closing is fine', async (status) => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    server.onRequest = (exchange) => {
      if (exchange.httpMethod === 'DELETE') exchange.send(status)
    }
    await client.close()
    await client.close()
    expect(server.ledger.deletes).toBe(1)
  })

  it('on a notification: a cancelled call is still only cancelled', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    server.onRequest = (exchange) => {
      if (isCall(exchange)) exchange.stall()
    }
    const controller = new AbortController()
    const outcome = client
      .callTool({ ...call, options: { signal: controller.signal } })
      .catch((error: unknown) => error)
    await server.ledger.untilCount('tools/call', 1)
    server.forgetSessions()
    const reason = new Error('stop')
    controller.abort(reason)
    expect(await outcome).toBe(reason)
    await server.ledger.untilCount('notifications/cancelled', 1)
    await expectStillUsable(client, server)
  })

  it('a saved session that has expired becomes one new session', async () => {
    const server = await serve({ era: 'sessions' })
    const first = closing(await createMCPClient(clientOptions(server, { terminateSessionOnClose: false })))
    await first.callTool(call)
    const session = first.saveSession()
    await first.close()
    expect(session).toBeDefined()
    const initializes = server.ledger.initializes
    server.forgetSessions()
    const second = closing(await createMCPClient(clientOptions(server, {}, session && { session })))
    expect(await second.callTool({ name: 'echo', arguments: { mark: 'two' } })).toMatchObject({
      content: [{ text: 'two' }],
    })
    expect(server.ledger.initializes).toBe(initializes + 1)
    expect(server.ledger.mostExecutionsOfOneCall()).toBe(1)
  })

  it('a 404 without a session id is no expired session', async () => {
    const server = await serve({ era: 'sessions', onRequest: (exchange) => exchange.send(404) })
    const error = await failureOf(createMCPClient(clientOptions(server)), undefined)
    expect(error.statusCode).toBe(404)
    expect(error.isSessionExpired()).toBe(false)
    expect(server.ledger.initializes).toBe(1)
  })

  it('400 “not initialized”, as the official server says it, is an expired session too', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    server.forgetSessions()
    server.onRequest = (exchange) => {
      const session = exchange.header('mcp-session-id')
      if (exchange.method === 'initialize' || (session !== undefined && server.sessions.has(session))) return
      exchange.json(
        { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad Request: No valid session ID provided' } },
        400,
      )
    }
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'once' }] })
    expect(server.ledger.initializes).toBe(2)
    expect(server.ledger.executions).toHaveLength(1)
  })

  it('in somebody else’s client: the answer to the request is the transport’s business, the ids stay the client’s', async () => {
    const server = await serve({ era: 'sessions' })
    const { send, until, answersTo, messages } = await transportTo(server)
    server.forgetSessions()
    const id = send('tools/call', call)
    await until(() => answersTo(id).length > 0, 'an answer')
    expect(answersTo(id)).toHaveLength(1)
    expect(new Set(messages.map((message) => message.id)).size).toBe(messages.length)
    expect(server.ledger.executions.length).toBeLessThanOrEqual(1)
  })
})

describe('[R-13] the service restarts', () => {
  it('sessions and tools are new: the next list is the new one, also past the cache', async () => {
    const { server, client } = await serveAndConnect(
      {
        era: 'sessions',
        tools: { echo: {}, old: {} },
        // No connection is kept: a call on one that is just dying is a call that may have arrived.
        onRequest: (exchange) => void exchange.response.setHeader('connection', 'close'),
      },
      {},
      { cache: true },
    )
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(['echo', 'old'])
    await server.restart()
    server.tools = new Map(Object.entries({ echo: {}, new: {} }))
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'once' }] })
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(['echo', 'new'])
    expect(server.ledger.initializes).toBe(2)
    expect(server.ledger.executions).toHaveLength(1)
  })

  it('a restart in the middle of twenty calls: each has one end, none runs twice', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    let held = 0
    server.onRequest = async (exchange) => {
      if (!isCall(exchange) || held >= 10) return
      held++
      exchange.result()
      exchange.stall()
      if (held === 10) {
        await server.restart()
      }
    }
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => client.callTool({ name: 'echo', arguments: { mark: `call-${n}` } })),
    )
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        await failureOf(Promise.reject(outcome.reason as Error), { server, deed: 'tools/call' })
    }
    expect(outcomes.filter((outcome) => outcome.status === 'rejected').length).toBeGreaterThanOrEqual(10)
    expect(server.ledger.mostExecutionsOfOneCall()).toBe(1)
    await expectStillUsable(client, server)
    expect(server.ledger.initializes).toBe(2)
  })
})

describe('[A2.8] the session id is a secret', () => {
  it('it is taken from the answer to initialize only', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    const mine = client.getSessionId()
    server.onRequest = (exchange) => {
      if (exchange.method === 'tools/list') exchange.json(exchange.reply(), 200, { 'mcp-session-id': 'canary-planted' })
    }
    await client.listTools()
    expect(client.getSessionId()).toBe(mine)
    await client.callTool(call)
    expect(sessionOf(server.ledger.of('tools/call')[0])).toBe(mine)
  })

  it('it is never in an address, and DELETE gives it back at close', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    const mine = client.getSessionId()
    await client.callTool(call)
    await client.close()
    for (const entry of server.ledger.entries) expect(entry.path).not.toContain('canary')
    expect(sessionOf(server.ledger.of('DELETE')[0])).toBe(mine)
    expect(server.sessions.size).toBe(0)
  })

  it('the stateless era has none, whatever the server sends', async () => {
    const { server, client } = await serveAndConnect({
      era: 'stateless',
      onRequest: (exchange) => {
        exchange.response.setHeader('mcp-session-id', 'canary-planted')
      },
    })
    await client.listTools()
    await client.callTool(call)
    await client.close()
    expect(client.getSessionId()).toBeUndefined()
    for (const entry of server.ledger.entries) expect(sessionOf(entry)).toBeUndefined()
    expect(server.ledger.deletes).toBe(0)
  })

  it.each(['two words', 'grün', 'tab\tbed'])(
    'an id that is no header value of the specification (%j) ends nothing',
    async (sessionId) => {
      const server = await serve({
        era: 'sessions',
        onRequest: (exchange) => {
          if (exchange.method === 'initialize')
            exchange.json(exchange.reply(), 200, { 'mcp-session-id': Buffer.from(sessionId).toString('latin1') })
          else if (exchange.method === 'tools/call') exchange.json(exchange.reply())
          else if (exchange.id === undefined) exchange.send(202)
        },
      })
      const outcome = await createMCPClient(clientOptions(server)).then(
        async (client) => closing(client).callTool(call),
        (error: unknown) => failureOf(Promise.reject(error as Error), undefined),
      )
      expect(outcome).toBeDefined()
    },
  )
})
