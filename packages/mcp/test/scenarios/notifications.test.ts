import { createMCPClient, MCPClient, type Notification } from '@switchboard/mcp'
import { describe, expect, it, vi } from 'vitest'
import { closing, clientOptions, eras, serve, serveAndConnect } from '../faults/scenario.ts'
import { META, ScriptedTransport } from './scripted-transport.ts'

describe.each(eras)('what the server says unasked (%s)', (era) => {
  const open = { era, getStream: true } as const

  it('[C13] reaches every listener until it is taken off', async () => {
    const first: Notification[] = []
    const second: Notification[] = []
    const { server, client } = await serveAndConnect(open, {}, { onNotification: (one) => void first.push(one) })
    const off = client.onNotification((one) => void second.push(one))
    await server.ledger.until(() => server.listeners.size === 1, 'one open stream')
    const changes = (list: Notification[]) => list.filter(({ method }) => method.endsWith('/list_changed')).length
    server.push({ method: 'notifications/tools/list_changed' })
    await vi.waitFor(() => expect([changes(first), changes(second)]).toEqual([1, 1]), 60_000)
    off()
    server.push({ method: 'notifications/prompts/list_changed' })
    await vi.waitFor(() => expect(changes(first)).toBe(2), 60_000)
    expect(changes(second)).toBe(1)
  })

  it('[C13] a listener that throws harms neither the others nor the stream', async () => {
    const problems: unknown[] = []
    const heard = vi.fn()
    const { server, client } = await serveAndConnect(
      open,
      {},
      {
        onNotification: () => {
          throw new Error('mine')
        },
        onUncaughtError: (error) => problems.push(error),
      },
    )
    client.onNotification(heard)
    await server.ledger.until(() => server.listeners.size === 1, 'one open stream')
    heard.mockClear()
    server.push({ method: 'notifications/tools/list_changed' })
    server.push({ method: 'notifications/prompts/list_changed' })
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(2), 60_000)
    expect(problems.map((error) => (error as Error).message)).toContain('mine')
  })

  it('[C14] onListChanged opens the stream by itself and hears of its own list only', async () => {
    const { server, client } = await serveAndConnect(open)
    const tools = vi.fn()
    const prompts = vi.fn()
    client.onListChanged('tools', tools)
    const off = client.onListChanged('prompts', prompts)
    const wished = () => {
      const wish = server.ledger.of('subscriptions/listen').at(-1)?.params['notifications']
      return era === 'sessions' || JSON.stringify(wish) === '{"toolsListChanged":true,"promptsListChanged":true}'
    }
    await server.ledger.until(() => server.listeners.size === 1 && wished(), 'one stream that tells of both')
    server.push({ method: 'notifications/tools/list_changed' })
    await vi.waitFor(() => expect(tools).toHaveBeenCalledTimes(1), 60_000)
    expect(prompts).not.toHaveBeenCalled()
    off()
    server.push({ method: 'notifications/prompts/list_changed' })
    server.push({ method: 'notifications/tools/list_changed' })
    await vi.waitFor(() => expect(tools).toHaveBeenCalledTimes(2), 60_000)
    expect(prompts).not.toHaveBeenCalled()
  })

  it('[C23] openStream() resolves when the stream stands, and a second one opens no second stream', async () => {
    const { server, client } = await serveAndConnect(open)
    await client.openStream()
    expect(server.listeners.size).toBe(1)
    await client.openStream()
    expect(server.listeners.size).toBe(1)
  })

  it('[C23] a server without a stream is no error', async () => {
    const server = await serve({ era, getStream: false })
    server.onRequest = (exchange) => {
      if (exchange.method === 'subscriptions/listen') exchange.json(exchange.failure(-32601, 'Method not found'), 404)
    }
    const client = closing(await createMCPClient(clientOptions(server)))
    await expect(client.openStream()).resolves.toBeUndefined()
    expect((await client.call('echo', { mark: 'still here' })).text).toBe('still here')
  })
})

describe('the log', () => {
  it('[C15] in the session era the level is set once the server is met, and again when it changes', async () => {
    const transport = new ScriptedTransport({ 'logging/setLevel': () => ({}) })
    const client = await createMCPClient({ transport, logLevel: 'warning' })
    expect(transport.of('logging/setLevel')).toEqual([{ level: 'warning' }])
    await client.setLogLevel('debug')
    expect(transport.of('logging/setLevel')).toEqual([{ level: 'warning' }, { level: 'debug' }])
  })

  it('[C15] a server without logging is not asked for a level', async () => {
    const transport = new ScriptedTransport({
      initialize: () => ({ protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'a', version: '1' } }),
    })
    await createMCPClient({ transport, logLevel: 'info' })
    expect(transport.of('logging/setLevel')).toEqual([])
  })

  it('[C15] in the stateless era the level travels with every request from then on', async () => {
    const transport = new ScriptedTransport({ 'tools/list': () => ({ tools: [] }) }, { discovers: true })
    const client = await createMCPClient({ transport })
    await client.listTools()
    await client.setLogLevel('error')
    await client.listTools()
    const levels = transport
      .of('tools/list')
      .map((params) => (params['_meta'] as Record<string, unknown>)[`${META}logLevel`])
    expect(levels).toEqual([undefined, 'error'])
    expect(transport.of('logging/setLevel')).toEqual([])
  })

  it('[C15] log messages arrive as notifications/message', async () => {
    const transport = new ScriptedTransport()
    const heard = vi.fn()
    await createMCPClient({ transport, onNotification: heard })
    transport.notify('notifications/message', { level: 'info', logger: 'l', data: { any: 'thing' } })
    expect(heard).toHaveBeenCalledWith({
      method: 'notifications/message',
      params: { level: 'info', logger: 'l', data: { any: 'thing' } },
    })
  })
})

describe('who is there', () => {
  it.each([false, true])(
    '[C21] server info, instructions and capabilities are known in either era (stateless: %s)',
    async (discovers) => {
      const client = await createMCPClient({ transport: new ScriptedTransport({}, { discovers }) })
      expect(client.serverInfo).toEqual({ name: 'scripted', version: '2.1.0', title: 'Scripted' })
      expect(client.instructions).toBe('Be kind.')
      expect(client.capabilities.tools).toEqual({ listChanged: true })
      expect(client.getProtocolVersion()).toBe(discovers ? '2026-07-28' : '2025-11-25')
      expect(client.initializeResult.protocolVersion).toBe(client.getProtocolVersion())
    },
  )

  it.each([null, 0, false, 7, {}])('[C21] instructions that are no text (%j) are none', async (instructions) => {
    const initialize = { protocolVersion: '2025-11-25', capabilities: null, serverInfo: { name: 7 }, instructions }
    const client = await createMCPClient({ transport: new ScriptedTransport({ initialize: () => initialize }) })
    expect(client.instructions).toBeUndefined()
    expect(client.serverInfo).toEqual({ name: '', version: '' })
    expect(client.capabilities).toEqual({})
  })

  it('[C21] before the first connection nothing is known, and nothing throws', () => {
    const client = new MCPClient({ transport: new ScriptedTransport() })
    expect(client.getProtocolVersion()).toBeUndefined()
    expect(client.getSessionId()).toBeUndefined()
    expect(client.saveSession()).toBeUndefined()
    expect(client.instructions).toBeUndefined()
  })
})
