import { HttpTransport } from '@switchboard/mcp/oauth'
import { describe, expect, it } from 'vitest'
import { closing, quick } from '../faults/scenario.ts'
import { connect, person, refusalOf, startListener, world } from './scenario.ts'

const call = { name: 'echo', arguments: { mark: 'once' } }
const INVALID = { 'www-authenticate': 'Bearer error="invalid_token"' }

describe('[R-14] a connection whose token ends', () => {
  it('[R-14] renews it for a notification as well', async () => {
    const place = await world()
    const provider = person(place)
    await connect(place, provider)
    const transport = closing(new HttpTransport({ url: place.mcp.url, authProvider: provider, backoff: quick }))
    await transport.start()
    place.protection.onRequest = (exchange) => exchange.send(202)
    place.as.expireTokens()
    await transport.send({ jsonrpc: '2.0', method: 'notifications/told' })
    expect(place.mcp.ledger.count('notifications/told')).toBe(2)
    expect(place.as.tokenRequests).toHaveLength(2)
    expect(provider.opened).toHaveLength(1)
  })

  it('[R-14] and which is closed bothers nobody', async () => {
    const place = await world({}, { era: 'sessions' })
    const provider = person(place)
    const client = await connect(place, provider)
    place.as.revokeAll()
    await client.close()
    expect(provider.opened).toHaveLength(1)
    expect(place.mcp.ledger.deletes).toBeLessThanOrEqual(2)
  })

  it('[R-14] and which is closed while a person signs in ends the call at once', async () => {
    const place = await world()
    let back = () => {}
    const provider = person(place, {
      signIn: async (url) => {
        if (provider.opened.length > 1) await new Promise<void>((resolve) => (back = resolve))
        return place.as.signIn(url)
      },
    })
    const client = await connect(place, provider)
    place.as.revokeAll()
    const calling = client.callTool(call).catch((error: unknown) => error)
    await expect.poll(() => provider.opened.length).toBe(2)
    await client.close()
    expect(await calling).toMatchObject({ reason: 'closed' })
    back()
    expect(place.mcp.ledger.executions).toEqual([])
  })

  it('[R-14] a stream that is refused for ever is left alone after a few tries, and calls still pass', async () => {
    const place = await world({}, { era: 'sessions', getStream: true })
    place.protection.onRequest = (exchange) => {
      if (exchange.httpMethod === 'GET') exchange.json({}, 401, INVALID)
    }
    const provider = person(place)
    const client = await connect(place, provider, {}, { onNotification: () => {} })
    await place.mcp.ledger.until(() => place.mcp.ledger.of('GET').some(({ path }) => path === '/mcp'), 'the stream')
    for (let nth = 0; nth < 10; nth++) await client.callTool(call)
    const streams = place.mcp.ledger.of('GET').filter(({ path }) => path === '/mcp')
    expect(streams.length).toBeLessThanOrEqual(12)
    expect(provider.opened).toHaveLength(1)
    expect(place.as.tokenRequests.length).toBeLessThanOrEqual(3)
  })

  it('[R-14] a no to the first question is the end: an older revision is not tried', async () => {
    const place = await world({}, { era: 'both' })
    place.as.onCallback = (answer) => {
      answer.delete('code')
      answer.set('error', 'access_denied')
    }
    const provider = person(place)
    await refusalOf(connect(place, provider), 'denied')
    expect(place.mcp.ledger.initializes).toBe(0)
    expect(provider.opened).toHaveLength(1)
  })
})

describe('[A1.15] a token', () => {
  it('[A1.15] is not sent where a server of 2024-11-05 says it listens, when that is elsewhere', async () => {
    const canary = await startListener()
    const place = await world({}, { era: 'http+sse' })
    place.protection.onRequest = (exchange) => {
      if (exchange.httpMethod !== 'GET') return
      void exchange.stream().event({ event: 'endpoint', data: `${canary.origin}/messages` })
    }
    const provider = person(place)
    await expect(
      connect(place, provider, { type: 'sse' }, { requestOptions: { timeout: 2000 } }),
    ).rejects.toMatchObject({ name: 'MCPError' })
    expect(provider.opened).toHaveLength(1)
    expect(canary.connections).toBe(0)
  })

  it('[A1.15] goes in one header, with every request, and the caller’s own headers stay with the server', async () => {
    const place = await world({}, { era: 'sessions' })
    const provider = person(place)
    const client = await connect(place, provider, { headers: { 'x-own': 'mine' } })
    await client.callTool(call)
    const posts = place.mcp.ledger.entries.filter(({ path }) => path === '/mcp')
    const signed = posts.filter(({ headers }) => headers['authorization'] !== undefined)
    expect(signed).toHaveLength(posts.length - 1)
    for (const { headers } of signed) {
      expect(headers['authorization']).toMatch(/^Bearer canary-access-[\w-]+$/)
      expect(headers['x-own']).toBe('mine')
    }
    expect(place.as.heard).not.toContain('x-own')
  })
})
