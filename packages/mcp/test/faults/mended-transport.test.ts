import type { Notification } from '@switchboard/mcp'
import { describe, expect, it } from 'vitest'
import { type Exchange, MB } from '@switchboard/testkit/fault-server'
import { connect, expectStillUsable, failureOf, resumptions, serve, serveAndConnect } from './scenario.ts'

const call = { name: 'echo', arguments: { mark: 'once' } }
const isCall = (exchange: Exchange) => exchange.method === 'tools/call'

/** Keeps what the server says unasked, and lets a test wait for it. */
function hearing() {
  const heard: unknown[] = []
  const waiting = new Map<unknown, () => void>()
  return {
    onNotification: ({ params }: Notification) => {
      heard.push(params?.['data'])
      waiting.get(params?.['data'])?.()
    },
    until: (data: string) =>
      heard.includes(data) ? Promise.resolve() : new Promise<void>((resolve) => waiting.set(data, resolve)),
    times: (data: string) => heard.filter((one) => one === data).length,
  }
}
const news = (data: string) => ({ method: 'notifications/message', params: { level: 'info', data } })

describe('with sessions', () => {
  it('[X1] a -32020 is an answer like any other: the call is sent once, and nothing is listed', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    server.onRequest = (exchange) => {
      if (isCall(exchange)) exchange.json(exchange.failure(-32020, 'Out of paper', { tray: 2 }))
    }
    const error = await failureOf(client.callTool(call), { server, deed: 'tools/call' })
    expect(error).toMatchObject({ code: -32020, reason: 'rpc', data: { tray: 2 } })
    expect(server.ledger.count('tools/call')).toBe(1)
    expect(server.ledger.count('tools/list')).toBe(0)
    await expectStillUsable(client, server)
  })

  it('[R-12] a session forgotten with 400, on GET or on a call, leaves an open stream in the new one', async () => {
    const { onNotification, until, times } = hearing()
    const server = await serve({ era: 'sessions', getStream: true })
    const client = await connect(server, {}, { onNotification })
    server.onRequest = (exchange) => {
      const session = exchange.header('mcp-session-id')
      if (exchange.method === 'initialize' || (session !== undefined && server.sessions.has(session))) return
      const error = { code: -32000, message: 'Bad Request: No valid session ID provided' }
      exchange.json({ jsonrpc: '2.0', id: null, error }, 400)
    }
    const streamInNewSession = () =>
      server.ledger.until(() => {
        const sessions = [...server.listeners].map(({ exchange }) => exchange.header('mcp-session-id') ?? '')
        return sessions.length === 1 && sessions.every((session) => server.sessions.has(session))
      }, 'one stream, in the new session')
    await streamInNewSession()

    server.forgetSessions()
    for (const { stream } of server.listeners) stream.drop()
    await streamInNewSession()
    server.push(news('after GET'))
    await until('after GET')
    expect(server.ledger.initializes).toBe(2)

    server.forgetSessions()
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'once' }] })
    await streamInNewSession()
    server.push(news('after the call'))
    await until('after the call')
    expect(server.ledger.initializes).toBe(3)
    expect(server.ledger.executions).toHaveLength(1)
    expect([times('after GET'), times('after the call')]).toEqual([1, 1])
  })

  it('[R-14] a 401 to the GET that resumes an answer asks for one new token, and the result is delivered', async () => {
    const challenges: unknown[] = []
    const { server, client } = await serveAndConnect(
      { era: 'sessions' },
      {
        tokenSource: {
          token: () => Promise.resolve(challenges.length === 0 ? 'canary-old' : 'canary-new'),
          challenge: (challenge) => {
            challenges.push(challenge)
            return Promise.resolve(true)
          },
        },
      },
    )
    server.onRequest = async (exchange) => {
      if (exchange.httpMethod === 'GET' && exchange.header('authorization') !== 'Bearer canary-new')
        return exchange.send(401, { 'www-authenticate': 'Bearer error="invalid_token"' })
      if (!isCall(exchange)) return
      const stream = exchange.stream({ record: true })
      await stream.prime()
      stream.drop()
      await stream.message(exchange.reply())
      stream.end()
    }
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'once' }] })
    expect(challenges).toHaveLength(1)
    expect(challenges[0]).toMatchObject({ status: 401, token: 'canary-old' })
    expect(resumptions(server).map((entry) => entry.headers['authorization'])).toEqual([
      'Bearer canary-old',
      'Bearer canary-new',
    ])
    expect(server.ledger.count('tools/call')).toBe(1)
    expect(server.ledger.executions).toHaveLength(1)
  })
})

describe('answers that are none', () => {
  it('[X4][T14] a secret that lies across the cut of a quoted body leaves no part of itself', async () => {
    const secret = 'canary-0123456789-abcdefghijklmnopqrstuvwxyz'
    const filler = '.'.repeat(190)
    const { server, client } = await serveAndConnect({ era: 'sessions' }, { headers: { 'x-api-key': secret } })
    server.onRequest = (exchange) => {
      if (isCall(exchange)) exchange.send(500, { 'content-type': 'text/plain' }, filler + secret)
    }
    const error = await failureOf(client.callTool(call), { server, deed: 'tools/call' })
    expect(error.statusCode).toBe(500)
    expect(error.message).toContain(filler)
    // What follows the filler is our own text, not the beginning of the secret.
    expect(error.message.split(filler)[1]).not.toMatch(/^[a-z0-9]/i)
    await expectStillUsable(client, server)
  })

  it('[R-19] 8 MB of one string are a typed error, no later than a result of that size, and calls go on', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    const text = 'x'.repeat(8 * MB)
    server.onRequest = (exchange) => {
      if (!isCall(exchange)) return
      const result = exchange.reply({ content: [{ type: 'text', text }] })
      exchange.json(exchange.mark === 'good' ? result : text)
    }
    const took = { good: Infinity, bad: Infinity }
    for (let round = 0; round < 3; round++) {
      for (const mark of ['good', 'bad'] as const) {
        const start = performance.now()
        const answer = client.callTool({ name: 'echo', arguments: { mark } })
        if (mark === 'good') expect((await answer).content).toHaveLength(1)
        else {
          const error = await failureOf(answer, { server, deed: 'tools/call' })
          expect(error.reason).toBe('protocol')
          expect(error.message.length).toBeLessThan(1000)
        }
        took[mark] = Math.min(took[mark], performance.now() - start)
      }
    }
    // A string that is walked through like a list takes a hundred times as long, and every other call waits.
    expect(took.bad).toBeLessThan(10 * took.good)
    expect(server.ledger.count('tools/call')).toBe(6)
    await expectStillUsable(client, server)
  })
})

describe('HTTP+SSE', () => {
  it('[S12] the one stream is enough for who listens: no second GET is made', async () => {
    const { onNotification, until } = hearing()
    const { server, client } = await serveAndConnect({ era: 'http+sse' }, {}, { onNotification })
    await client.openStream()
    server.push(news('hello'))
    await until('hello')
    await expectStillUsable(client, server)
    expect(server.ledger.gets).toBe(1)
  })
})
