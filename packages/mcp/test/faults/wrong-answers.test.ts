import { createMCPClient, MCPClient } from '@switchboard/mcp'
import { describe, expect, it } from 'vitest'
import type { Exchange, Fields } from '@switchboard/testkit/fault-server'
import { clientOptions, connect, eras, expectStillUsable, failureOf, serve, serveAndConnect } from './scenario.ts'

const call = { name: 'echo', arguments: { mark: 'once' } }
const isCall = (exchange: Exchange) => exchange.method === 'tools/call'

describe('[R-18][A1.7] redirects', () => {
  const targets: Record<string, (elsewhere: string) => string> = {
    'another port': (elsewhere) => `${elsewhere}/mcp`,
    'another scheme': (elsewhere) => `${elsewhere.replace('http:', 'https:')}/mcp`,
    'a unix socket': () => 'unix:///var/run/docker.sock',
    'a data address': () => 'data:application/json,{}',
    'a protocol-relative address': (elsewhere) => `${elsewhere.replace('http:', '')}/mcp`,
    'no address at all': () => 'http://[',
  }
  describe.each([301, 302, 303, 307, 308])('%i', (status) => {
    it.each(Object.entries(targets))('to %s: an error, and nothing of ours arrives there', async (_name, target) => {
      const elsewhere = await serve({ era: 'sessions' })
      const tokenSource = { token: () => Promise.resolve('canary-token'), challenge: () => Promise.resolve(false) }
      // Without a token Node is not asked to show where it leads.
      for (const options of [{ tokenSource }, { tokenSource, redirect: 'follow' }, {}] as const) {
        const { server, client } = await serveAndConnect({ era: 'sessions' }, options)
        server.onRequest = (exchange) => {
          if (isCall(exchange) || exchange.method === 'tools/list')
            exchange.send(status, { location: target(elsewhere.origin) })
        }
        const error = await failureOf(client.callTool(call), { server, deed: 'tools/call' })
        expect(error.reason).toBe('redirect')
        const listing = await failureOf(client.listTools(), { server, deed: 'tools/list' })
        if (target(elsewhere.origin) === `${elsewhere.origin}/mcp`)
          for (const { message } of 'tokenSource' in options ? [error, listing] : [listing])
            expect(message).toContain(elsewhere.host)
        expect(server.ledger.count('tools/call')).toBe(1)
        await expectStillUsable(client, server)
      }
      expect(elsewhere.ledger.entries).toHaveLength(0)
      expect(elsewhere.ledger.connections).toBe(0)
    })
  })

  it.each([307, 308])('%i within the origin is followed, unless forbidden', async (status) => {
    const server = await serve({ era: 'sessions' })
    server.onRequest = (exchange) => {
      if (exchange.entry.path === '/mcp') exchange.send(status, { location: '/moved' })
    }
    const strict = await failureOf(createMCPClient(clientOptions(server, { redirect: 'error' })), undefined)
    expect(strict.reason).toBe('redirect')
    const other = new MCPClient(clientOptions(server, { redirect: 'error' }))
    const client = await connect(server)
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'once' }] })
    expect(server.ledger.executions).toHaveLength(1)
    // Where one client was led to is nothing that another of the same address follows.
    expect((await failureOf(other.listTools(), undefined)).reason).toBe('redirect')
  })

  it('a circle within the origin ends', async () => {
    const server = await serve({ era: 'sessions', onRequest: (exchange) => exchange.send(308, { location: '/mcp' }) })
    const error = await failureOf(createMCPClient(clientOptions(server, { redirect: 'follow' })), undefined)
    expect(error.reason).toBe('redirect')
    expect(server.ledger.entries.length).toBeLessThan(20)
  })

  describe.each(eras)('%s', (era) => {
    const moved = (exchange: Exchange): void => exchange.send(307, { location: '/moved' })

    it('a call is sent once and known not to have run; whoever reads next is told where it leads', async () => {
      const { server, client } = await serveAndConnect({ era }, { redirect: 'error' })
      server.onRequest = moved
      const error = await failureOf(client.callTool(call), { server, deed: 'tools/call' })
      expect(error.reason).toBe('redirect')
      expect(error.isOutcomeUnknown()).toBe(false)
      // It shows that it was sent in the faster way, which hides this.
      expect(error.message).not.toContain('/moved')
      expect(server.ledger.count('tools/call')).toBe(1)
      expect((await failureOf(client.listTools(), { server, deed: 'tools/list' })).message).toContain('/moved')
      expect((await failureOf(client.callTool(call), { server, deed: 'tools/call' })).message).toContain('/moved')
      expect(server.ledger.entries.filter(({ path }) => path === '/moved')).toEqual([])
      await expectStillUsable(client, server)
    })

    it('reads at once are all told where it leads, and sent twice at the most', async () => {
      const { server, client } = await serveAndConnect({ era }, { redirect: 'error' })
      server.onRequest = moved
      const lists = Array.from({ length: 8 }, () => failureOf(client.listTools(true), { server, deed: 'tools/list' }))
      for (const { reason, message } of await Promise.all(lists)) {
        expect(reason).toBe('redirect')
        expect(message).toContain('/moved')
      }
      expect(server.ledger.count('tools/list')).toBeLessThanOrEqual(16)
    })

    it('a read that was refused before is told where it leads', async () => {
      const { server, client } = await serveAndConnect({ era }, { redirect: 'error' })
      let refused = false
      server.onRequest = (exchange) => {
        if (refused) return moved(exchange)
        refused = true
        exchange.send(503, { 'retry-after': '0' })
      }
      const { message } = await failureOf(client.listTools(), { server, deed: 'tools/list' })
      expect(message).toContain('/moved')
      expect(server.ledger.count('tools/list')).toBe(3)
    })

    it('a fetch of the caller that hides where it leads is asked twice, and not for ever', async () => {
      const server = await serve({ era, onRequest: moved })
      const blind: typeof fetch = (url, init) => fetch(url, { ...init, redirect: 'error' })
      const error = await failureOf(createMCPClient(clientOptions(server, { fetch: blind })), undefined)
      expect(error.reason).toBe('redirect')
      expect(server.ledger.entries).toHaveLength(2)
    })
  })

  it('of HTTP+SSE are refusals', async () => {
    const { server, client } = await serveAndConnect({ era: 'http+sse' })
    server.onRequest = (exchange) => {
      if (exchange.method === 'tools/list') exchange.send(307, { location: '/moved' })
    }
    expect(await failureOf(client.listTools(), undefined)).toMatchObject({ reason: 'http', statusCode: 307 })
  })

  it('a redirect without a place to go is an error', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    server.onRequest = (exchange) => {
      if (isCall(exchange)) exchange.send(302)
    }
    const error = await failureOf(client.callTool(call), { server, deed: 'tools/call' })
    expect(error.reason).toBe('redirect')
  })
})

describe.each(eras)('misdirected requests (%s)', (era) => {
  it('are told as refused, also calls, which have not run', async () => {
    const { server, client } = await serveAndConnect({ era })
    const type = { 'content-type': 'text/plain' }
    server.onRequest = (exchange) => exchange.send(421, type, 'Invalid Host header')
    for (const [deed, asked] of [
      ['tools/call', client.callTool(call)],
      ['tools/list', client.listTools()],
    ] as const) {
      const error = await failureOf(asked, { server, deed })
      expect(error).toMatchObject({ reason: 'http', statusCode: 421 })
      expect(error.message).toContain('Invalid Host header')
      expect(error.isOutcomeUnknown()).toBe(false)
    }
    expect(server.ledger.executions).toEqual([])
    await expectStillUsable(client, server)
  })
})

/** Answers that are no answer; the tool has run before each. */
const garbage: Record<string, (exchange: Exchange) => void | Promise<void>> = {
  'a page of a captive portal': (exchange) =>
    exchange.send(
      200,
      { 'content-type': 'text/html' },
      '<!doctype html><title>Log in</title><h1>Welcome to the hotel</h1>',
    ),
  'plain text with control characters': (exchange) =>
    exchange.send(200, { 'content-type': 'text/plain' }, 'no\u001b[2J\u202Egnihton\r\nSet-Cookie: x'),
  '204 no content': (exchange) => exchange.send(204),
  '202 accepted': (exchange) => exchange.send(202),
  '200 with nothing': (exchange) => exchange.send(200),
  '200 JSON with an empty body': (exchange) => exchange.send(200, { 'content-type': 'application/json' }),
  'no content type': (exchange) => exchange.send(200, {}, JSON.stringify(exchange.reply({}))),
  'an image': (exchange) => exchange.send(200, { 'content-type': 'image/png' }, Uint8Array.of(137, 80, 78, 71, 0, 255)),
  'truncated JSON': (exchange) =>
    exchange.send(200, { 'content-type': 'application/json' }, JSON.stringify(exchange.reply({})).slice(0, -3)),
  'two JSON documents': (exchange) => {
    const text = JSON.stringify(exchange.reply({}))
    exchange.send(200, { 'content-type': 'application/json' }, text + text)
  },
  'JSON null': (exchange) => exchange.json(null),
  'a JSON number': (exchange) => exchange.json(42),
  'a JSON string': (exchange) => exchange.json('done'),
  'an empty object': (exchange) => exchange.json({}),
  'an array': (exchange) => exchange.json([]),
  'a content length that is too long': (exchange) => {
    const text = JSON.stringify(exchange.reply({}))
    exchange.head(200, { 'content-type': 'application/json', 'content-length': text.length + 10 }).write(text)
    setTimeout(() => exchange.drop(), 5)
  },
  'a content length that is too short': (exchange) => {
    const text = JSON.stringify(exchange.reply({}))
    exchange.take()
    exchange.request.socket.write(
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length - 5}\r\n\r\n${text}`,
    )
    setTimeout(() => exchange.drop(), 20)
  },
  'a broken chunk': (exchange) => {
    exchange.take()
    exchange.request.socket.write(
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"jso\r\nZZ\r\nnonsense',
    )
    setTimeout(() => exchange.drop(), 20)
  },
  'a body that says gzip and is not': (exchange) =>
    exchange.send(
      200,
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      JSON.stringify(exchange.reply({})),
    ),
  'no HTTP at all': (exchange) => {
    exchange.take()
    exchange.request.socket.end('SSH-2.0-OpenSSH_9.9\r\n')
  },
  'a stream with nothing but noise': (exchange) => {
    const stream = exchange.stream()
    void stream.raw('data: nonsense\n\ndata: {"jsonrpc"\n\nhello\n\n\u0000\u0000\n\n')
    stream.end()
  },
}

describe.each(eras)('[R-19] answers that are none (%s)', (era) => {
  it.each(Object.entries(garbage))('%s: a typed error, the outcome unknown, the client well', async (_name, fault) => {
    const { server, client } = await serveAndConnect({ era })
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      exchange.result()
      await fault(exchange)
    }
    const error = await failureOf(client.callTool(call), { server, deed: 'tools/call echo' })
    expect(error.isOutcomeUnknown()).toBe(true)
    expect(error.message.length).toBeLessThan(600)
    expect(server.ledger.count('tools/call')).toBe(1)
    expect(server.ledger.executions).toHaveLength(1)
    await expectStillUsable(client, server)
  })

  it.each(Object.entries(garbage))('%s to a list: a typed error or, asked again, a list', async (_name, fault) => {
    const { server, client } = await serveAndConnect({ era })
    server.onRequest = async (exchange) => {
      if (exchange.method === 'tools/list') await fault(exchange)
    }
    const error = await failureOf(client.listTools(), { server, deed: 'tools/list' })
    expect(error.isOutcomeUnknown()).toBe(false)
    expect(server.ledger.count('tools/list')).toBeLessThanOrEqual(4)
    await expectStillUsable(client, server)
  })
})

describe('[R-19] answers to the handshake that are none', () => {
  it.each(Object.entries(garbage))(
    '%s: createMCPClient rejects with a typed error that names the server',
    async (_name, fault) => {
      const server = await serve({
        era: 'sessions',
        onRequest: async (exchange) => {
          if (exchange.method === 'initialize') await fault(exchange)
        },
      })
      const error = await failureOf(createMCPClient(clientOptions(server)), undefined)
      expect(error.message).toContain(server.host)
    },
  )

  const serverInfo = { name: 'x', version: '1' }
  const handshakes: [string, 'a client' | 'a typed error', Fields][] = [
    ['nothing in it', 'a typed error', {}],
    ['a version nobody knows', 'a typed error', { protocolVersion: '2099-01-01', capabilities: {}, serverInfo }],
    ['a version that is a number', 'a typed error', { protocolVersion: 20251125, capabilities: {}, serverInfo }],
    ['capabilities null', 'a client', { protocolVersion: '2025-11-25', capabilities: null, serverInfo }],
    ['text for capabilities', 'a client', { protocolVersion: '2025-11-25', capabilities: 'all', serverInfo: 'me' }],
  ]
  it.each(handshakes)('an initialize result with %s gives %s', async (_name, expected, result) => {
    const server = await serve({
      era: 'sessions',
      onRequest: (exchange) => {
        if (exchange.method !== 'initialize') return
        server.sessions.add('canary-session')
        exchange.json(exchange.reply(result), 200, { 'mcp-session-id': 'canary-session' })
      },
    })
    const outcome = await createMCPClient(clientOptions(server)).then(
      async (client) => {
        await client.close()
        return 'a client'
      },
      async (error: unknown) => {
        await failureOf(Promise.reject(error as Error), undefined)
        return 'a typed error'
      },
    )
    expect(outcome).toBe(expected)
  })
})

describe('[1.4] what errors say', () => {
  it.each(eras)('a server that reflects our secrets in its error does not get them into ours (%s)', async (era) => {
    const { server, client } = await serveAndConnect(
      { era },
      { tokenSource: { token: () => Promise.resolve('canary-token-value'), challenge: () => Promise.resolve(false) } },
    )
    const answers: ((exchange: Exchange, said: string) => void)[] = [
      (exchange, said) => exchange.send(500, { 'content-type': 'text/plain' }, said),
      (exchange, said) => exchange.send(200, { 'content-type': 'text/html' }, said),
      (exchange, said) =>
        exchange.send(401, { 'www-authenticate': `Bearer error="${said}"`, 'content-type': 'text/plain' }, said),
      (exchange, said) => exchange.send(404, { 'content-type': 'text/plain' }, said),
      (exchange, said) => exchange.json(exchange.failure(-32050, said), 400),
      (exchange, said) => exchange.json(exchange.failure(-32050, said)),
      (exchange, said) => exchange.send(302, { location: `http://127.0.0.1:9/?${encodeURIComponent(said)}` }),
    ]
    for (const answer of answers) {
      server.onRequest = (exchange) => {
        if (!isCall(exchange)) return
        const said = [
          exchange.header('authorization'),
          exchange.header('x-api-key'),
          exchange.header('mcp-session-id'),
        ].join(' ')
        answer(exchange, `you sent ${said}`)
      }
      await failureOf(client.callTool(call), undefined)
    }
    await expectStillUsable(client, server)
  })

  it.each(eras)('a JSON-RPC error keeps its code, message and data (%s)', async (era) => {
    const { server, client } = await serveAndConnect({ era })
    for (const status of [200, 400, 500]) {
      server.onRequest = (exchange) => {
        if (isCall(exchange)) exchange.json(exchange.failure(-32077, 'the frobnicator is out', { part: 7 }), status)
      }
      const error = await failureOf(client.callTool(call), undefined)
      expect(error.code).toBe(-32077)
      expect(error.message).toContain('the frobnicator is out')
      expect(error.data).toEqual({ part: 7 })
    }
    expect(server.ledger.count('tools/call')).toBe(3)
  })

  it('a tool that is not there is told apart', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    server.onRequest = (exchange) => {
      if (isCall(exchange)) exchange.json(exchange.failure(-32602, 'Unknown tool: nope'))
    }
    const error = await failureOf(client.callTool({ name: 'nope', arguments: {} }), undefined)
    expect(error.isToolNotFound()).toBe(true)
  })

  it('a closed client says so, and sends nothing', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    await client.close()
    const before = server.ledger.entries.length
    const error = await failureOf(client.callTool(call), undefined)
    expect(error.message).toMatch(/closed/)
    expect(error.isOutcomeUnknown()).toBe(false)
    expect(server.ledger.entries).toHaveLength(before)
  })

  it.each(eras)('close() while a call runs ends it, typed, with its outcome unknown (%s)', async (era) => {
    const { server, client } = await serveAndConnect({ era })
    server.onRequest = (exchange) => {
      if (isCall(exchange)) exchange.stall()
    }
    const failed = failureOf(client.callTool(call), { server, deed: 'tools/call' })
    await server.ledger.untilCount('tools/call', 1)
    await client.close()
    const error = await failed
    expect(error.isOutcomeUnknown()).toBe(true)
    await server.ledger.until(() => server.ledger.of('tools/call')[0]?.disconnected === true, 'the call being left')
  })
})
