import {
  createMCPClient,
  type JsonObject,
  type MCPClient,
  type MCPClientConfig,
  type SavedSession,
} from '@switchboard/mcp'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { clientOptions, closing, connect, failureOf, serve, serveAndConnect } from '../faults/scenario.ts'
import { everything, META, said, type Script, ScriptedTransport } from './scripted-transport.ts'

const discovering = { protocolVersionDiscovery: true }

describe('which era', () => {
  it('[E1] is found by itself: a server of both is met in the newer, a server of one in its own', async () => {
    for (const [era, revision] of [
      ['both', '2026-07-28'],
      ['stateless', '2026-07-28'],
      ['sessions', '2025-11-25'],
    ] as const) {
      const { client } = await serveAndConnect({ era }, {}, discovering)
      expect(client.getProtocolVersion()).toBe(revision)
      expect((await client.call('echo', { mark: era })).text).toBe(era)
    }
  })

  it('[E4] protocolVersionDiscovery: false asks nothing before initialize', async () => {
    const { server, client } = await serveAndConnect({ era: 'both' }, {}, { protocolVersionDiscovery: false })
    expect(client.getProtocolVersion()).toBe('2025-11-25')
    expect(server.ledger.entries[0]?.method).toBe('initialize')
  })

  it.each([-32020, -32021])('[E2] %i is an error of a stateless server, not a reason for sessions', async (code) => {
    const server = await serve({ era: 'both' })
    server.onRequest = (exchange) => exchange.json(exchange.failure(code, 'no'), 400)
    const error = await failureOf(createMCPClient({ ...clientOptions(server), ...discovering }), undefined)
    expect(error.code).toBe(code)
    expect(server.ledger.initializes).toBe(0)
  })

  it.each<[string, number, string]>([
    ['no body', 400, ''],
    ['a page', 404, '<html>nothing here</html>'],
    [
      '-32000 of the official server',
      400,
      JSON.stringify({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32000, message: 'Bad Request: Server not initialized' },
      }),
    ],
    ['-32601', 200, JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32601, message: 'Method not found' } })],
    ['an error of its own', 500, 'boom'],
  ])('[E2] a refusal with %s means that sessions are tried', async (_name, status, body) => {
    const server = await serve({ era: 'sessions' })
    server.onRequest = (exchange) => {
      if (exchange.method === 'server/discover')
        exchange.send(status, { 'content-type': body.startsWith('<') ? 'text/html' : 'application/json' }, body)
    }
    const client = closing(await createMCPClient({ ...clientOptions(server), ...discovering }))
    expect(client.getProtocolVersion()).toBe('2025-11-25')
  })

  it('[E3] on -32022 a revision that both know is taken', async () => {
    let asked = 0
    const transport = new ScriptedTransport(
      {
        'server/discover': () => {
          if (asked++ === 0) throw Object.assign(new Error('no'), { code: -32022, data: { supported: ['2026-07-28'] } })
          return { supportedVersions: ['2026-07-28'], capabilities: everything }
        },
      },
      { discovers: true },
    )
    const client = await createMCPClient({ transport })
    expect(client.getProtocolVersion()).toBe('2026-07-28')
    expect(asked).toBe(2)
  })
})

describe('an initialize answered with 2026-07-28', () => {
  const initialized = (protocolVersion: string) => ({
    protocolVersion,
    capabilities: everything,
    serverInfo: { name: 'early', version: '1' },
  })

  it.each([
    ['with a session id', 'session-1'],
    ['without a session id', undefined],
  ])('[E16] begins a session of that revision, %s', async (_name, id) => {
    const server = await serve({ era: 'sessions' })
    server.onRequest = (exchange) => {
      const { method } = exchange
      if (method === 'initialize')
        exchange.json(exchange.reply(initialized('2026-07-28')), 200, id ? { 'mcp-session-id': id } : {})
      else if (method === 'tools/call') exchange.json(exchange.reply())
      else if (exchange.id === undefined) exchange.send(202)
      else exchange.json(exchange.failure(-32601, 'Method not found'))
    }
    const first = await connect(server, { terminateSessionOnClose: false }, discovering)
    expect(first.getProtocolVersion()).toBe('2026-07-28')
    expect((await first.call('echo', { mark: 'one' })).text).toBe('one')
    const saved = JSON.parse(JSON.stringify(first.saveSession())) as SavedSession
    const next = await connect(server, {}, { ...discovering, session: saved })
    expect((await next.call('echo', { mark: 'two' })).text).toBe('two')
    expect(server.ledger.initializes).toBe(1)
    const calls = server.ledger.of('tools/call')
    expect(calls).toHaveLength(2)
    for (const { headers, meta } of calls) {
      expect(headers).toMatchObject({ 'mcp-protocol-version': '2026-07-28' })
      expect(headers['mcp-session-id']).toBe(id)
      expect(headers['mcp-method']).toBeUndefined()
      expect(Object.keys(meta)).toEqual(['switchboard/callId'])
    }
  })

  it('[E1] a revision that nobody knows is refused by its name', async () => {
    const transport = new ScriptedTransport({ initialize: () => initialized('2031-01-01') })
    const error = await failureOf(createMCPClient({ transport }), undefined)
    expect(error).toMatchObject({ reason: 'protocol' })
    expect(error.message).toContain('2031-01-01')
  })
})

describe('a slow server', () => {
  const refused = Object.assign(new Error('Method not found'), { code: -32601 })
  const refuse = (): never => {
    throw refused
  }
  const discovered = { supportedVersions: ['2026-07-28'], capabilities: everything }
  /** Connects by a clock that the test moves: until what is awaited has happened, and the timers behind it have run. */
  const connecting = (transport: ScriptedTransport, config: Partial<MCPClientConfig> = {}) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const outcome = createMCPClient({ transport, ...config }).then(
      (client) => ({ client }),
      (error: unknown) => ({ error }),
    )
    return outcome as Promise<{ client: MCPClient; error?: undefined } | { error: unknown; client?: undefined }>
  }
  const answeringAfter = (ms: number, answer: () => JsonObject) => () =>
    new Promise<JsonObject>((resolve, reject) => {
      setTimeout(() => {
        try {
          resolve(answer())
        } catch (error) {
          reject(error as Error)
        }
      }, ms)
    })

  it.each<[string, number, Partial<MCPClientConfig>]>([
    ['12 s', 12_000, {}],
    ['59 s', 59_000, {}],
    ['longer than a call may take', 5000, { requestOptions: { timeout: 500, maxTotalTimeout: 500 } }],
    ['most of the time to connect', 25_000, { initializationOptions: { timeout: 30_000 } }],
  ])('[E1] is met in the stateless era when its discovery takes %s', async (_name, ms, config) => {
    const transport = new ScriptedTransport(
      { initialize: refuse, 'server/discover': answeringAfter(ms, () => ({ ...discovered })) },
      { discovers: true },
    )
    const outcome = connecting(transport, config)
    await vi.advanceTimersByTimeAsync(ms)
    const { client, error } = await outcome
    expect(error).toBeUndefined()
    expect(client?.getProtocolVersion()).toBe('2026-07-28')
    await client?.close()
  })

  it('[E1] is met with a session when it refuses the discovery late', async () => {
    const transport = new ScriptedTransport(
      {
        'server/discover': answeringAfter(15_000, refuse),
        initialize: answeringAfter(15_000, () => ({ protocolVersion: '2025-06-18', capabilities: {} })),
      },
      { discovers: true },
    )
    const outcome = connecting(transport)
    await vi.advanceTimersByTimeAsync(25_000)
    const { client, error } = await outcome
    expect(error).toBeUndefined()
    expect(client?.getProtocolVersion()).toBe('2025-06-18')
    expect(transport.of('initialize')).toHaveLength(1)
    await client?.close()
  })

  it('[E1] answers both: the discovery that succeeds first counts, and the late session changes nothing', async () => {
    const transport = new ScriptedTransport(
      {
        'server/discover': answeringAfter(11_000, () => ({ ...discovered })),
        initialize: answeringAfter(2000, () => ({ protocolVersion: '2025-06-18', capabilities: {} })),
      },
      { discovers: true },
    )
    const outcome = connecting(transport)
    await vi.advanceTimersByTimeAsync(20_000)
    const { client } = await outcome
    expect(client?.getProtocolVersion()).toBe('2026-07-28')
    expect(transport.of('notifications/initialized')).toHaveLength(0)
    await client?.close()
  })

  it.each<[string, Script]>([
    ['refuses sessions', { initialize: refuse }],
    ['answers nothing', { initialize: () => new Promise(() => {}) }],
  ])('[E1] that never answers the discovery and %s fails with the discovery', async (_name, script) => {
    const transport = new ScriptedTransport(
      { ...script, 'server/discover': () => new Promise(() => {}) },
      { discovers: true },
    )
    const outcome = connecting(transport)
    await vi.advanceTimersByTimeAsync(75_000)
    expect((await outcome).error).toMatchObject({ reason: 'timeout', method: 'server/discover' })
    expect(transport.of('initialize')).toHaveLength(1)
  })

  it.each([429, 502, 503, 504])(
    '[E1] whose gateway answers %i fails with that, not with the session',
    async (status) => {
      const server = await serve({ era: 'stateless' })
      server.onRequest = (exchange) => {
        if (exchange.method === 'server/discover') exchange.send(status)
      }
      const error = await failureOf(createMCPClient(clientOptions(server, { maxRetries: 0 }, discovering)), undefined)
      expect(error).toMatchObject({ method: 'server/discover', statusCode: status })
    },
  )
})

describe('the stateless era', () => {
  it('[E6] every request says who asks, in its body and its headers', async () => {
    const { server, client } = await serveAndConnect({ era: 'stateless' }, {}, { clientName: 'me', version: '9' })
    await client.listTools()
    await client.call('echo', { mark: 'x' })
    await client.readResource({ uri: 'test://one' })
    await client.getPrompt({ name: 'hello' })
    for (const { meta, headers, method } of server.ledger.entries) {
      expect(meta[`${META}protocolVersion`]).toBe('2026-07-28')
      expect(meta[`${META}clientInfo`]).toEqual({ name: 'me', version: '9' })
      expect(meta[`${META}clientCapabilities`]).toEqual({})
      expect(headers).toMatchObject({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method })
    }
    const names = server.ledger.entries.map(({ headers }) => headers['mcp-name'])
    expect(names).toEqual([undefined, undefined, 'echo', 'test://one', 'hello'])
  })

  it('[E8] a marked argument travels as a header; a tool that marks wrongly is left out, alone, and reported', async () => {
    const object = (properties: JsonObject) => ({ type: 'object', properties })
    const problems: unknown[] = []
    const { server, client } = await serveAndConnect(
      {
        era: 'stateless',
        tools: {
          good: {
            inputSchema: object({ region: { type: 'string', 'x-mcp-header': 'Region' }, other: { type: 'string' } }),
          },
          bad: { inputSchema: object({ region: { type: 'object', 'x-mcp-header': 'Region' } }) },
          plain: {},
        },
      },
      {},
      { onUncaughtError: (error) => problems.push(error) },
    )
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['good', 'plain'])
    expect(problems.map(String).join()).toContain('bad')
    await client.callTool({ name: 'good', arguments: { region: 'são paulo', other: 'x', mark: 'm' } })
    await client.callTool({ name: 'good', arguments: { other: 'x', mark: 'n' } })
    const [first, second] = server.ledger.of('tools/call')
    expect(first?.headers['mcp-param-region']).toBe(`=?base64?${Buffer.from('são paulo').toString('base64')}?=`)
    expect(second?.headers).not.toHaveProperty('mcp-param-region')
  })

  it('[E9] on -32020 the tools are listed anew and the call is made once more', async () => {
    const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } }
    const { server, client } = await serveAndConnect({ era: 'stateless', tools: { route: { inputSchema } } })
    server.onRequest = (exchange) => {
      if (exchange.method !== 'tools/call' || exchange.header('mcp-param-region') !== undefined) return
      exchange.json(exchange.failure(-32020, 'Header mismatch'), 400)
    }
    const result = await client.callTool({ name: 'route', arguments: { region: 'eu', mark: 'x' } })
    expect(result).toMatchObject({ content: [{ text: 'x' }] })
    expect(server.ledger.executions).toHaveLength(1)
    expect(server.ledger.count('tools/list')).toBe(1)
  })

  it('[E11] a result without a type is complete, one of an unknown type an error', async () => {
    const types: unknown[] = [undefined, 'surprise']
    const transport = new ScriptedTransport(
      {
        'tools/call': () => {
          const resultType = types.shift()
          return { ...said('x'), ...(resultType === undefined ? {} : { resultType }) }
        },
      },
      { discovers: true },
    )
    const client = await createMCPClient({ transport })
    expect((await client.call('any')).text).toBe('x')
    expect((await failureOf(client.call('any'), undefined)).reason).toBe('protocol')
  })
})

describe('the clock', () => {
  it('[C6] stands still while the user answers a question', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    const handler = vi.fn(async () => {
      await new Promise((resolve) => setTimeout(resolve, 3000))
      return { action: 'accept' as const }
    })
    client.onElicitationRequest(handler)
    server.onRequest = async (exchange) => {
      if (exchange.method !== 'tools/call') return
      const stream = exchange.stream()
      await stream.message({
        jsonrpc: '2.0',
        id: 'q',
        method: 'elicitation/create',
        params: { message: 'well?', requestedSchema: { type: 'object' } },
      })
      await server.ledger.until(() => server.ledger.answers.length === 1, 'the answer to the question')
      await stream.message(exchange.reply())
      stream.end()
    }
    const { text } = await client.call('echo', { mark: 'patience' }, { timeout: 2000 })
    expect(text).toBe('patience')
    expect(handler).toHaveBeenCalledTimes(1)
  })
})
