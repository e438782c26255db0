import { HttpTransport, isMCPError, MCPError, type JsonRpcMessage } from '@switchboard/mcp'
import type { Exchange } from '@switchboard/testkit/fault-server'
import { describe, expect, it, vi } from 'vitest'
import { closing, serve, transportTo } from '../faults/scenario.ts'
import { META } from './scripted-transport.ts'

const stateless = { _meta: { [`${META}protocolVersion`]: '2026-07-28', [`${META}clientCapabilities`]: {} } }
const isCall = (exchange: Exchange) => exchange.method === 'tools/call'

/** A transport without a session, and what it delivers. */
async function rawTransport(url: string) {
  const transport = closing(new HttpTransport({ url, headers: { 'x-api-key': 'canary-header' } }))
  const messages: { message: JsonRpcMessage & { id?: unknown }; failure: unknown }[] = []
  transport.onmessage = (message, extra) => messages.push({ message, failure: extra?.failure })
  await transport.start()
  return { transport, messages }
}

describe('the transport contract', () => {
  it('[T1] start() sends nothing', async () => {
    const server = await serve()
    await rawTransport(server.url)
    expect(server.ledger.entries).toEqual([])
  })

  it('[T2] a message arrives at the server as it was given, whatever its id', async () => {
    const server = await serve({ era: 'stateless' })
    const { transport, messages } = await rawTransport(server.url)
    for (const id of [0, -1, 'listen:1', 'server-discover-probe-0', 2 ** 53 - 1]) {
      const message = { jsonrpc: '2.0' as const, id, method: 'tools/list', params: { ...stateless, odd: [null, 'ü'] } }
      const sent = await transport.send(message)
      expect(sent).toBeUndefined()
      await vi.waitFor(() => expect(messages.at(-1)?.message.id).toBe(id), 60_000)
      expect(server.ledger.entries.at(-1)?.message).toEqual(message)
    }
  })

  it('[T3] a failure in place of an answer has the request’s own id, and brings its MCPError along', async () => {
    const server = await serve({ era: 'stateless' })
    const { transport, messages } = await rawTransport(server.url)
    server.onRequest = (exchange) => exchange.drop()
    await transport.send({ jsonrpc: '2.0', id: 'mine', method: 'tools/call', params: { name: 'echo', ...stateless } })
    await vi.waitFor(() => expect(messages).toHaveLength(1), 60_000)
    const [{ message, failure } = { message: {}, failure: undefined }] = messages
    expect(message).toMatchObject({ jsonrpc: '2.0', id: 'mine', error: { code: -32001 } })
    expect(isMCPError(failure) && failure.isOutcomeUnknown()).toBe(true)
  })

  it.each([202, 204, 200])('[T4] a notification answered with %i is delivered and calls nothing', async (status) => {
    const server = await serve()
    const { transport, messages } = await transportTo(server)
    const before = messages.length
    server.onRequest = (exchange) => {
      if (exchange.method === 'notifications/x') exchange.send(status, {}, status === 200 ? 'odd, but fine' : '')
    }
    await transport.send({ jsonrpc: '2.0', method: 'notifications/x' })
    expect(server.ledger.count('notifications/x')).toBe(1)
    expect(messages).toHaveLength(before)
  })

  it.each([400, 500])('[T4] a notification refused with %i rejects send() with a typed error', async (status) => {
    const server = await serve()
    const { transport } = await transportTo(server)
    server.onRequest = (exchange) => {
      if (exchange.method === 'notifications/x') exchange.send(status)
    }
    await expect(transport.send({ jsonrpc: '2.0', method: 'notifications/x' })).rejects.toMatchObject({
      name: 'MCPError',
      statusCode: status,
    })
  })

  it('[T5] messages of a stream arrive in order, and a client that throws breaks nothing', async () => {
    const server = await serve()
    const { transport, send, until, answersTo } = await transportTo(server)
    const problems: unknown[] = []
    const order: unknown[] = []
    const deliver = transport.onmessage
    transport.onmessage = (message, extra) => {
      deliver?.(message, extra)
      order.push(message.params?.progress ?? 'answer')
      throw new Error('mine')
    }
    transport.onerror = (error) => problems.push(error)
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      const stream = exchange.stream()
      for (const progress of [1, 2, 3]) {
        await stream.message({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: 1, progress },
        })
      }
      await stream.message(exchange.reply())
      stream.end()
    }
    const id = send('tools/call', { name: 'echo', arguments: { mark: 'x' } })
    await until(() => answersTo(id).length === 1, 'the answer')
    expect(order).toEqual([1, 2, 3, 'answer'])
    expect(problems).toHaveLength(4)
  })

  it('[T6] headers follow the body, message by message', async () => {
    const server = await serve({ era: 'both' })
    const { transport, send, until, answersTo } = await transportTo(server)
    const listed = send('tools/list')
    await until(() => answersTo(listed).length === 1, 'the list')
    const session = server.ledger.of('tools/list')[0]
    expect(session?.headers).toMatchObject({
      'mcp-session-id': transport.sessionId,
      'mcp-protocol-version': '2025-11-25',
    })
    expect(session?.headers).not.toHaveProperty('mcp-method')

    await transport.send({ jsonrpc: '2.0', id: 'x', method: 'tools/call', params: { name: 'größe', ...stateless } })
    const call = server.ledger.of('tools/call')[0]
    expect(call?.headers).toMatchObject({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' })
    expect(call?.headers['mcp-name']).toBe(`=?base64?${Buffer.from('größe').toString('base64')}?=`)
    expect(call?.headers).not.toHaveProperty('mcp-session-id')

    const begun = server.ledger.of('initialize')[0]
    expect(begun?.headers).not.toHaveProperty('mcp-session-id')
    expect(begun?.headers).not.toHaveProperty('mcp-protocol-version')
    for (const entry of server.ledger.entries) {
      if (entry.httpMethod === 'POST') expect(entry.headers['accept']).toBe('application/json, text/event-stream')
    }
  })

  it('[T6] initialize carries nothing of a session, whatever headers its sender adds', async () => {
    const server = await serve()
    const { transport, messages } = await rawTransport(server.url)
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'other', version: '1' } }
    const headers = { 'mcp-session-id': 'another', accept: 'text/plain' }
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params }, { headers })
    await vi.waitFor(() => expect(messages).toHaveLength(1), 60_000)
    const begun = server.ledger.of('initialize')[0]
    expect(begun?.headers).not.toHaveProperty('mcp-session-id')
    expect(begun?.headers['accept']).toBe('application/json, text/event-stream')
  })

  it.each(['closes', 'asks again', 'throws'])(
    '[T3][T7] who %s when it gets an answer that is alone in its body gets one answer and one onclose',
    async (deed) => {
      const server = await serve({ era: 'stateless' })
      const transport = closing(new HttpTransport({ url: server.url, headers: { 'x-api-key': 'canary-header' } }))
      const answers: unknown[] = []
      let closes = 0
      transport.onclose = () => closes++
      await transport.start()
      const ask = (id: string) =>
        transport.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo', ...stateless } })
      const isOver = new Promise<void>((over) => {
        transport.onmessage = ({ id }: { id: string }) => {
          answers.push(id)
          if (deed === 'asks again' && id === 'first') void ask('second')
          else over()
          if (deed === 'closes') void transport.close()
          if (deed === 'throws') throw new Error('theirs')
        }
      })
      await ask('first')
      await isOver
      await transport.close()
      expect(answers).toEqual(deed === 'asks again' ? ['first', 'second'] : ['first'])
      expect(closes).toBe(1)
      expect(server.ledger.executions).toHaveLength(answers.length)
    },
  )

  it('[T7][T8] onclose is called once, however often close() is', async () => {
    const server = await serve()
    const { transport } = await transportTo(server)
    const onclose = vi.fn()
    transport.onclose = onclose
    await Promise.all([transport.close(), transport.close()])
    await transport.close()
    expect(onclose).toHaveBeenCalledTimes(1)
    expect(server.ledger.deletes).toBe(1)
  })

  it('[T9] what its caller left is aborted at the server, and nothing is delivered for it', async () => {
    const server = await serve({ era: 'stateless' })
    const { transport, messages } = await rawTransport(server.url)
    server.onRequest = (exchange) => {
      if (isCall(exchange)) exchange.stall()
    }
    for (const key of ['signal', 'requestSignal'] as const) {
      const abort = new AbortController()
      const params = { name: 'echo', ...stateless }
      void transport.send({ jsonrpc: '2.0', id: key, method: 'tools/call', params }, { [key]: abort.signal })
      await server.ledger.until(
        () => server.ledger.of('tools/call').some(({ id }) => id === key),
        `the call with ${key}`,
      )
      abort.abort()
      await server.ledger.until(() => server.ledger.disconnects.some(({ id }) => id === key), 'that we left')
    }
    await transport.send({ jsonrpc: '2.0', id: 'after', method: 'tools/list', params: stateless })
    await vi.waitFor(() => expect(messages.map(({ message }) => message.id)).toEqual(['after']), 60_000)
  })

  it('[T10] a listener that is taken off hears nothing more', async () => {
    const server = await serve()
    const { transport, send, until, answersTo } = await transportTo(server)
    const heard = vi.fn()
    const off = transport.on('notification', heard)
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      const stream = exchange.stream()
      await stream.message({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'd' } })
      await stream.message(exchange.reply())
      stream.end()
    }
    for (const times of [1, 1]) {
      const id = send('tools/call', { name: 'echo', arguments: { mark: 'x' } })
      await until(() => answersTo(id).length === 1, 'the answer')
      expect(heard).toHaveBeenCalledTimes(times)
      off()
    }
  })
})

describe('errors', () => {
  it('[X2] codes go by their reason where the server gave none', () => {
    expect(new MCPError('t', 'timeout').code).toBe(-32000)
    expect(new MCPError('t', 'session-expired').code).toBe(-32000)
    expect(new MCPError('t', 'network').code).toBe(-32001)
    expect(new MCPError('t', 'rpc', { code: -32042 }).code).toBe(-32042)
  })

  it('[X5] the outcome is unknown only of what is lost and may do harm twice', () => {
    expect(new MCPError('t', 'network', { lost: true }).isOutcomeUnknown()).toBe(true)
    expect(new MCPError('t', 'network', { lost: true, repeatable: true }).isOutcomeUnknown()).toBe(false)
    expect(new MCPError('t', 'network').isOutcomeUnknown()).toBe(false)
  })

  it('[X6] an error of another copy of the library is known too, whatever its name, others are not', async () => {
    const copy = '../../src/errors.ts?copy'
    const { MCPError: Foreign } = (await import(/* @vite-ignore */ copy)) as { MCPError: typeof MCPError }
    const foreign: unknown = new Foreign('t', 'network')
    expect(Foreign).not.toBe(MCPError)
    expect(isMCPError(foreign)).toBe(true)
    expect(isMCPError(Object.assign(foreign as Error, { name: 'Mine' }))).toBe(true)
    expect([new Error('t'), new TypeError('t'), 'MCPError', undefined].map(isMCPError)).toEqual([
      false,
      false,
      false,
      false,
    ])
  })
})
