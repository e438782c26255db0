import { type ElicitationHandler, MCPClient } from '@switchboard/mcp'
import { describe, expect, it } from 'vitest'
import { type Exchange, formatEvent } from '@switchboard/testkit/fault-server'
import { ScriptedTransport } from '../scenarios/scripted-transport.ts'
import {
  clientOptions,
  closing,
  connect,
  eras,
  expectStillUsable,
  failureOf,
  serve,
  serveAndConnect,
} from './scenario.ts'

const call = { name: 'echo', arguments: { mark: 'once' } }
const isCall = (exchange: Exchange) => exchange.method === 'tools/call'

const question = {
  method: 'elicitation/create',
  params: { message: 'Which?', requestedSchema: { type: 'object', properties: { which: { type: 'string' } } } },
}
const ask = (id: string) => formatEvent({ data: JSON.stringify({ jsonrpc: '2.0', id, ...question }) })
const takeBack = (requestId: string) =>
  formatEvent({ data: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }) })

/** A stateless server whose tool asks before it answers. */
const serveAsking = (onElicitationRequest: ElicitationHandler) =>
  serveAndConnect(
    {
      era: 'stateless',
      onRequest: (exchange) => {
        if (isCall(exchange) && exchange.params['requestState'] === undefined)
          exchange.json(
            exchange.reply({ resultType: 'input_required', inputRequests: { q: question }, requestState: 's' }),
          )
      },
    },
    {},
    { onElicitationRequest },
  )

describe('lists', () => {
  it('[C2] a list that changed between two of its pages is not kept', async () => {
    let changes = 1
    const transport: ScriptedTransport = new ScriptedTransport({
      'tools/list': ({ cursor }) => {
        if (cursor === undefined) return { tools: [{ name: 'a', inputSchema: { type: 'object' } }], nextCursor: 'two' }
        if (changes-- > 0) transport.notify('notifications/tools/list_changed')
        return { tools: [{ name: 'b', inputSchema: { type: 'object' } }] }
      },
    })
    const client = closing(new MCPClient({ transport, cache: true }))
    const names = async () => (await client.listTools()).tools.map(({ name }) => name)
    expect(await names()).toEqual(['a', 'b'])
    expect(transport.of('tools/list')).toHaveLength(2)
    expect(await names()).toEqual(['a', 'b'])
    expect(transport.of('tools/list')).toHaveLength(4)
    // Nothing changed this time: now it is kept.
    expect(await names()).toEqual(['a', 'b'])
    expect(transport.of('tools/list')).toHaveLength(4)
  })
})

describe('questions', () => {
  it('[C24] one that is taken back in the chunk it came in gets no answer', async () => {
    const signals: AbortSignal[] = []
    const { server, client } = await serveAndConnect(
      { era: 'sessions' },
      {},
      {
        onElicitationRequest: (_request, { signal }) => {
          signals.push(signal)
          return { action: 'accept', content: {} }
        },
      },
    )
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      const stream = exchange.stream()
      await stream.raw(ask('back') + takeBack('back') + ask('kept'))
      await server.ledger.until(() => server.ledger.answers.some(({ id }) => id === 'kept'), 'an answer to “kept”')
      await stream.message(exchange.reply())
      stream.end()
    }
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'once' }] })
    await expectStillUsable(client, server)
    expect(server.ledger.answers.map(({ id }) => id)).toEqual(['kept'])
    // The handler of the one that was taken back did not run, or knows.
    expect(signals.filter((signal) => !signal.aborted)).toHaveLength(1)
  })

  it.each(eras)('[C8] a declined one carries no content, even where the handler gave some (%s)', async (era) => {
    const onElicitationRequest: ElicitationHandler = () => ({ action: 'decline', content: { which: 'typed, unsent' } })
    let answer: unknown
    if (era === 'stateless') {
      const { server, client } = await serveAsking(onElicitationRequest)
      await client.callTool(call)
      answer = (server.ledger.of('tools/call')[1]?.params['inputResponses'] as { q?: unknown } | undefined)?.q
    } else {
      const { server, client } = await serveAndConnect({ era }, {}, { onElicitationRequest })
      server.onRequest = async (exchange) => {
        if (!isCall(exchange)) return
        const stream = exchange.stream()
        await stream.raw(ask('q'))
        await server.ledger.until(() => server.ledger.answers.length === 1, 'an answer')
        await stream.message(exchange.reply())
        stream.end()
      }
      await client.callTool(call)
      answer = server.ledger.answers[0]?.result
    }
    expect(answer).toEqual({ action: 'decline' })
  })

  it('[C7] an abort ends the call though the handler of its question never does', async () => {
    let asked: (() => void) | undefined
    const begun = new Promise<void>((resolve) => (asked = resolve))
    const { server, client } = await serveAsking(() => {
      asked?.()
      return new Promise(() => {})
    })
    const controller = new AbortController()
    const outcome = client
      .callTool({ ...call, options: { signal: controller.signal } })
      .catch((error: unknown) => error)
    await begun
    const reason = new Error('the user left')
    controller.abort(reason)
    expect(await outcome).toBe(reason)
    expect(server.ledger.count('tools/call')).toBe(1)
    await expectStillUsable(client, server)
  })

  it('[X2] a TypeError of the handler reaches the caller as it is', async () => {
    const mistake = new TypeError('form is undefined')
    const { server, client } = await serveAsking(() => Promise.reject(mistake))
    expect(await client.callTool(call).catch((error: unknown) => error)).toBe(mistake)
    expect(server.ledger.count('tools/call')).toBe(1)
    await expectStillUsable(client, server)
  })
})

describe('sessions', () => {
  it('[C20] a handshake that failed in its last step is made anew, in the right era', async () => {
    const server = await serve({
      era: 'sessions',
      onRequest: (exchange) => {
        if (exchange.method === 'notifications/initialized' && exchange.nth === 1) exchange.send(503)
      },
    })
    const client = closing(new MCPClient({ ...clientOptions(server), protocolVersionDiscovery: true }))
    const error = await failureOf(client.callTool(call), undefined)
    expect(error.statusCode).toBe(503)
    expect(server.ledger.count('tools/call')).toBe(0)
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'once' }] })
    expect(client.getProtocolVersion()).toBe('2025-11-25')
    expect(client.serverInfo).toMatchObject({ name: 'fault-server' })
    expect(server.ledger.initializes).toBe(2)
    const [sent] = server.ledger.of('tools/call')
    expect(sent?.headers['mcp-session-id']).toBe(client.getSessionId())
    expect(server.sessions.has(client.getSessionId() ?? '')).toBe(true)
  })

  it('[C16] one resource that a new session refuses does not keep the others from it', async () => {
    const server = await serve({ era: 'sessions', getStream: true })
    const errors: unknown[] = []
    const client = await connect(server, {}, { onUncaughtError: (error) => errors.push(error) })
    const heard: string[] = []
    let arrived: (() => void) | undefined
    const last = new Promise<void>((resolve) => (arrived = resolve))
    for (const uri of ['test://gone', 'test://one', 'test://two'])
      await client.subscribe(uri, () => {
        heard.push(uri)
        if (uri === 'test://two') arrived?.()
      })
    server.onRequest = (exchange) => {
      if (exchange.method === 'resources/subscribe' && exchange.params['uri'] === 'test://gone')
        exchange.json(exchange.failure(-32002, 'Resource not found'))
    }
    server.forgetSessions()
    await client.callTool(call)
    const again = () =>
      server.ledger
        .of('resources/subscribe')
        .filter((entry) => entry.finished && entry.headers['mcp-session-id'] === client.getSessionId())
        .map((entry) => entry.params['uri'])
    const streams = () => [...server.listeners].map(({ exchange }) => exchange.header('mcp-session-id'))
    await server.ledger.until(
      () => again().length === 3 && streams().length === 1 && streams()[0] === client.getSessionId(),
      'three subscriptions and a stream in the new session',
    )
    expect(again()).toEqual(['test://gone', 'test://one', 'test://two'])
    for (const uri of ['test://one', 'test://two'])
      server.push({ method: 'notifications/resources/updated', params: { uri } })
    await last
    expect(heard).toEqual(['test://one', 'test://two'])
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({ code: -32002 })
  })
})
