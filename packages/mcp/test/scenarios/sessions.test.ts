import { createMCPClient, type SavedSession } from '@switchboard/mcp'
import { describe, expect, it } from 'vitest'
import { clientOptions, closing, connect, serve, serveAndConnect } from '../faults/scenario.ts'

const echo = (mark: string) => ({ name: 'echo', arguments: { mark } })

describe('a saved session', () => {
  it('[C17][S6] is plain JSON, and goes on in another client without a handshake', async () => {
    const { server, client } = await serveAndConnect({}, { terminateSessionOnClose: false })
    const saved = JSON.parse(JSON.stringify(client.saveSession())) as SavedSession
    expect(saved.sessionId).toBe(client.getSessionId())
    await client.close()
    expect(server.ledger.deletes).toBe(0)

    const next = closing(await createMCPClient({ ...clientOptions(server), session: saved }))
    expect(next.serverInfo).toEqual(client.serverInfo)
    expect(next.getProtocolVersion()).toBe('2025-11-25')
    expect(await next.callTool(echo('resumed'))).toMatchObject({ content: [{ text: 'resumed' }] })
    expect(server.ledger.initializes).toBe(1)
    const call = server.ledger.of('tools/call')[0]
    expect(call?.headers['mcp-session-id']).toBe(saved.sessionId)
    expect(call?.headers['mcp-protocol-version']).toBe('2025-11-25')
  })

  it('[C17][S2] that the server has forgotten becomes one new session, and the call runs', async () => {
    const { server, client } = await serveAndConnect({}, { terminateSessionOnClose: false })
    const saved = client.saveSession()
    await client.close()
    server.forgetSessions()
    const ids: (string | undefined)[] = []
    const next = await connect(server, { onSessionIdChange: (id) => ids.push(id) }, saved ? { session: saved } : {})
    expect(await next.callTool(echo('anew'))).toMatchObject({ content: [{ text: 'anew' }] })
    expect(server.ledger.initializes).toBe(2)
    expect(next.getSessionId()).not.toBe(saved?.sessionId)
    expect(ids.at(-1)).toBe(next.getSessionId())
  })

  it('[C17] of the stateless era spares the discovery', async () => {
    const { server, client } = await serveAndConnect({ era: 'stateless' })
    const saved = client.saveSession()
    expect(saved).toBeDefined()
    expect(saved?.sessionId).toBeUndefined()
    const next = await connect(server, {}, saved ? { session: saved } : {})
    expect(await next.callTool(echo('spared'))).toMatchObject({ content: [{ text: 'spared' }] })
    expect(server.ledger.count('server/discover')).toBe(1)
  })
})

describe('a session', () => {
  it('[S1] its id is told when it begins, and goes with every request after it', async () => {
    const ids: (string | undefined)[] = []
    const { server, client } = await serveAndConnect({}, { onSessionIdChange: (id) => ids.push(id) })
    await client.listTools()
    expect(ids).toEqual([client.getSessionId()])
    for (const entry of server.ledger.entries.slice(1))
      expect(entry.headers['mcp-session-id']).toBe(client.getSessionId())
  })

  it('[T8] close() gives it back with DELETE, unless told not to', async () => {
    const { server, client } = await serveAndConnect()
    await client.close()
    expect(server.ledger.deletes).toBe(1)
    expect(server.sessions.size).toBe(0)

    const staying = await serveAndConnect({}, { terminateSessionOnClose: false })
    await staying.client.close()
    expect(staying.server.ledger.deletes).toBe(0)
  })

  it('[S7] a new one is told of the log level and the subscriptions of the old one', async () => {
    const { server, client } = await serveAndConnect({ getStream: true }, {}, { logLevel: 'warning' })
    await client.subscribe('test://one', () => {})
    server.forgetSessions()
    await client.callTool(echo('renew'))
    await server.ledger.untilCount('resources/subscribe', 2)
    await server.ledger.untilCount('logging/setLevel', 2)
    const [, renewed] = server.ledger.of('resources/subscribe')
    expect(renewed?.headers['mcp-session-id']).toBe(client.getSessionId())
  })

  it('[S2] whoever listens learns that it expired and was renewed', async () => {
    const expired: string[] = []
    const { server, client } = await serveAndConnect({}, { onSessionExpired: (id) => expired.push(id) })
    const old = client.getSessionId()
    server.forgetSessions()
    await client.callTool(echo('renew'))
    expect(expired).toEqual([old])
    expect(client.getSessionId()).not.toBe(old)
  })

  it('[C20] await using closes it', async () => {
    const server = await serve()
    {
      await using client = await createMCPClient(clientOptions(server))
      await client.listTools()
    }
    expect(server.ledger.deletes).toBe(1)
  })

  it('[C20] a connection that failed is tried anew by the next call', async () => {
    const server = await serve()
    const { MCPClient } = await import('@switchboard/mcp')
    const client = closing(new MCPClient(clientOptions(server)))
    server.onRequest = (exchange) => exchange.json(exchange.failure(-32603, 'not yet'))
    await expect(client.listTools()).rejects.toMatchObject({ code: -32603 })
    server.onRequest = undefined
    expect((await client.listTools()).tools).toHaveLength(1)
  })
})
