import * as peer from '@ai-sdk/mcp'
import {
  createMCPClient,
  HttpTransport,
  type JsonRpcRequest,
  MCPClient,
  type MCPClientConfig,
  MCPError,
  type Transport,
} from '@switchboard/mcp'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { closing, eras, failureOf, serve } from '../faults/scenario.ts'
import { said, type Script, ScriptedTransport } from './scripted-transport.ts'

describe('a transport of one’s own', () => {
  it('[C19] any object with start, send and close carries a client', async () => {
    const transport = new ScriptedTransport({ 'tools/call': ({ arguments: given }) => said(JSON.stringify(given)) })
    const client = await createMCPClient({ transport })
    expect((await client.call('any', { a: 1 })).data).toEqual({ a: 1 })
    expect(transport.started).toBe(1)
    await client.close()
    await client.close()
    expect(transport.closed).toBe(1)
  })

  it('[C19] one that says nothing of eras is met with initialize, one that can is asked first', async () => {
    const plain = new ScriptedTransport()
    await createMCPClient({ transport: plain })
    expect(plain.sent[0]).toMatchObject({ method: 'initialize' })
    expect(plain.sent[1]).toMatchObject({ method: 'notifications/initialized' })

    const able = new ScriptedTransport({}, { discovers: true })
    await createMCPClient({ transport: able })
    expect(able.sent.map((message) => ('method' in message ? message.method : ''))).toEqual(['server/discover'])

    const told = new ScriptedTransport({}, { discovers: true })
    await createMCPClient({ transport: told, protocolVersionDiscovery: false })
    expect(told.sent[0]).toMatchObject({ method: 'initialize' })
  })

  it('[C19] when it closes by itself, nobody waits any longer', async () => {
    const transport = new ScriptedTransport()
    const client = await createMCPClient({ transport })
    const pending = failureOf(client.call('never-answered'), undefined)
    await transport.until(() => transport.of('tools/call').length === 1)
    transport.onclose?.()
    expect((await pending).reason).toBe('closed')
  })

  it('[C19] one that answers while it is still sending carries a client, and leaves no timer behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const results: Record<string, object> = {
      initialize: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'swift', version: '1' } },
      'tools/call': said('at once'),
    }
    const transport: Transport = {
      start: async () => {},
      close: async () => {},
      send(message) {
        const { id, method } = message as JsonRpcRequest
        if (id !== undefined) transport.onmessage?.({ jsonrpc: '2.0', id, result: { ...results[method] } })
        return Promise.resolve()
      },
    }
    const client = await createMCPClient({ transport })
    expect(await client.callTool({ name: 'any' })).toEqual(said('at once'))
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([Infinity, 2 ** 31, Number.NaN])(
    '[C6] a time-out of %d ms, longer than any timer, does not end a call at once, and sets no timer',
    async (timeout) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      onTestFinished(() => void vi.useRealTimers())
      const transport = new ScriptedTransport()
      const client = await createMCPClient({ transport })
      const called = client.callTool({ name: 'slow', options: { timeout, maxTotalTimeout: Infinity } })
      await transport.until(() => transport.of('tools/call').length === 1)
      expect(vi.getTimerCount()).toBe(0)
      const { id } = transport.sent.at(-1) as JsonRpcRequest
      transport.say({ jsonrpc: '2.0', id, result: said('late') })
      expect(await called).toEqual(said('late'))
    },
  )

  it('[C19] one that throws instead of telling that it cannot send leaves nothing of the call behind', async () => {
    const transport = new ScriptedTransport()
    const client = await createMCPClient({ transport })
    const leaving = new AbortController()
    const { send } = transport
    transport.send = () => {
      throw new Error('the wire is cut')
    }
    await expect(client.callTool({ name: 'any', options: { signal: leaving.signal } })).rejects.toThrow(
      'the wire is cut',
    )
    transport.send = send
    leaving.abort()
    expect(transport.of('notifications/cancelled')).toEqual([])
  })

  it('[C20] a handshake whose last step failed is not taken for a connection', async () => {
    const transport = new ScriptedTransport({}, { discovers: true })
    const { send } = transport
    transport.send = async (message) => {
      const { method } = message as JsonRpcRequest
      if (method === 'server/discover') throw new MCPError('no way', 'network', { lost: true })
      if (method === 'notifications/initialized') throw new Error('the wire is cut')
      return send.call(transport, message)
    }
    await expect(createMCPClient({ transport })).rejects.toThrow('no way')
    expect(transport.of('initialize').length).toBeGreaterThan(0)
  })

  it('[C17][C20] what a client knew of its server outlives close(), and the calls that fail after it', async () => {
    const client = await createMCPClient({ transport: new ScriptedTransport() })
    const known = client.saveSession()
    await client.close()
    expect((await failureOf(client.callTool({ name: 'late' }), undefined)).reason).toBe('closed')
    expect(client.serverInfo.name).toBe('scripted')
    expect(client.saveSession()).toEqual(known)
  })

  it('[C20] every error of a closed client has the stack of its own call', async () => {
    const client = await createMCPClient({ transport: new ScriptedTransport() })
    await client.close()
    const listLate = async () => failureOf(client.listTools(), undefined)
    const callLate = async () => failureOf(client.callTool({ name: 'late' }), undefined)
    const [first, second] = [await listLate(), await callLate()]
    expect(first.reason).toBe('closed')
    expect(second).not.toBe(first)
    expect(first.stack).toContain('listLate')
    expect(second.stack).toContain('callLate')
  })

  it('[C19] when it cannot send, the call fails with its own error', async () => {
    const transport = new ScriptedTransport()
    const client = await createMCPClient({ transport })
    const broken = new Error('the wire is cut')
    vi.spyOn(transport, 'send').mockRejectedValue(broken)
    await expect(client.call('any')).rejects.toThrow('the wire is cut')
  })

  it('[E1] a server that names no revision we know is refused by name', async () => {
    const transport = new ScriptedTransport({
      initialize: () => ({
        protocolVersion: '1999-01-01',
        capabilities: {},
        serverInfo: { name: 'old', version: '1' },
      }),
    })
    const error = await failureOf(createMCPClient({ transport }), undefined)
    expect(error.message).toContain('1999-01-01')
    expect(transport.closed).toBe(1)
  })

  it('[E3] of the revisions a server supports, one we know is taken; without one sessions are tried', async () => {
    const transport = new ScriptedTransport(
      {
        'server/discover': () => {
          throw Object.assign(new Error('Unsupported'), {
            code: -32022,
            data: { supported: ['2099-01-01'], requested: 'x' },
          })
        },
      },
      { discovers: true },
    )
    const client = await createMCPClient({ transport })
    expect(client.getProtocolVersion()).toBe('2025-11-25')
  })

  it('[C26] it learns the revision that is tried, and the one that was agreed on, before a message of it', async () => {
    const heard = async (script: Script, discovers: boolean, config: Partial<MCPClientConfig> = {}) => {
      const transport = Object.assign(new ScriptedTransport(script, { discovers }), {
        log: [] as unknown[],
        setProtocolVersion: (version: string) => void transport.log.push(version),
      })
      const { send } = transport
      transport.send = (message) => {
        if ('method' in message) transport.log.push(message.method)
        return send.call(transport, message)
      }
      await createMCPClient({ transport, ...config })
      return transport.log
    }
    const old = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'old', version: '1' } }
    const initialize = () => old
    const handshake = ['2025-11-25', 'initialize', '2025-06-18', 'notifications/initialized']
    expect(await heard({ initialize }, false)).toEqual(handshake)
    expect(await heard({}, true)).toEqual(['2026-07-28', 'server/discover', '2026-07-28'])
    const discover = () => {
      throw new Error('never heard of it')
    }
    expect(await heard({ initialize, 'server/discover': discover }, true)).toEqual([
      '2026-07-28',
      'server/discover',
      ...handshake,
    ])
    expect(await heard({}, true, { initialInitializeResult: old })).toEqual(['2025-06-18'])
  })

  it('[C26] one without setProtocolVersion finds it in protocolVersion, as with @ai-sdk/mcp', async () => {
    for (const [discovers, revision] of [
      [false, '2025-11-25'],
      [true, '2026-07-28'],
    ] as const) {
      const transports = [1, 2].map((): Transport => new ScriptedTransport({}, { discovers }))
      await createMCPClient({ transport: transports[0]! })
      await peer.createMCPClient({ transport: transports[1]! as peer.MCPTransport })
      expect(transports.map(({ protocolVersion }) => protocolVersion)).toEqual([revision, revision])
    }
  })

  it('[C12] who we are is said as told', async () => {
    const transport = new ScriptedTransport()
    await createMCPClient({ transport, clientName: 'my app', version: '3.0.0' })
    expect(transport.of('initialize')[0]).toMatchObject({ clientInfo: { name: 'my app', version: '3.0.0' } })
  })
})

describe.each(eras)('HttpTransport in our own client (%s)', (era) => {
  it('[C19][T10] may be made by hand, and its bus tells what happens', async () => {
    const server = await serve({ era })
    const transport = new HttpTransport({ url: server.url, backoff: { baseMs: 5, capMs: 20 } })
    const client = closing(new MCPClient({ transport, protocolVersionDiscovery: era === 'stateless' }))
    const retries = vi.fn()
    const sessions = vi.fn()
    transport.on('retry', retries)
    transport.on('session', sessions)
    let busy = 1
    server.onRequest = (exchange) => {
      if (exchange.method === 'tools/list' && busy-- > 0) exchange.send(503)
    }
    await client.listTools()
    expect(retries.mock.calls.map(([event]) => event as unknown)).toEqual([
      {
        method: 'tools/list',
        attempt: 1,
        waitMs: expect.any(Number) as number,
        reason: expect.stringContaining('503') as string,
      },
    ])
    expect(sessions).toHaveBeenCalledTimes(era === 'sessions' ? 1 : 0)
  })
})
