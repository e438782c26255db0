import { describe, expect, it } from 'vitest'
import { connect, person, refusalOf, type World, world } from './scenario.ts'

const call = { name: 'echo', arguments: { mark: 'once' } }
const needs =
  (scope: string): World['protection']['scopeOf'] =>
  (exchange) =>
    exchange.method === 'tools/call' ? scope : undefined
const asked = (provider: { opened: URL[] }) => provider.opened.map((url) => url.searchParams.get('scope'))

describe('[A1.12] the rights that are asked for', () => {
  it('[O8] [A1.12] are those of the challenge, before those of the server’s description', async () => {
    const place = await world({ challenge: () => 'Bearer scope="files:read profile"' })
    place.protection.metadata = { scopes_supported: ['everything'] }
    const provider = person(place, { scope: 'mine' })
    await connect(place, provider)
    expect(asked(provider)).toEqual(['files:read profile'])
  })

  it('[O8] [A1.12] are those of the server’s description where the challenge says nothing', async () => {
    const place = await world()
    place.protection.metadata = { scopes_supported: ['a', 'b'] }
    const provider = person(place, { scope: 'mine' })
    await connect(place, provider)
    expect(asked(provider)).toEqual(['a b'])
  })

  it('[O8] [A1.12] are the application’s own, or none, where nobody says anything', async () => {
    const place = await world()
    const provider = person(place, { scope: 'mine' })
    await connect(place, provider)
    const other = person(place)
    await connect(place, other)
    expect([asked(provider), asked(other)]).toEqual([['mine'], [null]])
  })

  it('[A1.12] last beyond the visit only where the authorization server knows how', async () => {
    for (const offered of [true, false]) {
      const place = await world({ challenge: () => 'Bearer scope="a"' })
      place.as.metadata = { scopes_supported: offered ? ['a', 'offline_access'] : ['a'] }
      const provider = person(place)
      await connect(place, provider)
      expect(asked(provider)).toEqual([offered ? 'a offline_access' : 'a'])
    }
  })
})

describe('[A1.12] a server that wants more rights', () => {
  it('[O8] [A1.12] [R-15] gets the old and the new ones after one sign-in, and the call goes on', async () => {
    const place = await world({
      challenge: ({ scope, error }) => `Bearer scope="${scope ?? 'a b'}", error="${error ?? ''}"`,
    })
    const provider = person(place)
    const client = await connect(place, provider)
    place.protection.scopeOf = needs('c b')
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'once' }] })
    expect(asked(provider)).toEqual(['a b', 'a b c'])
    expect(place.as.tokenRequests.map((form) => form.get('grant_type'))).toEqual([
      'authorization_code',
      'authorization_code',
    ])
    expect(place.mcp.ledger.executions).toHaveLength(1)
  })

  it('[O8] [A1.12] [R-15] again and again brings one sign-in, then an error, and never another one', async () => {
    const place = await world({ challenge: ({ error }) => `Bearer scope="more", error="${error ?? ''}"` })
    const provider = person(place)
    place.as.faults.set('/token', (_, usual) => {
      const { body, ...rest } = usual()
      return { ...rest, body: { ...(body as object), scope: 'less' } }
    })
    const client = await connect(place, provider)
    place.protection.onRequest = (exchange) => {
      if (exchange.method !== 'tools/call') return
      const challenge = 'Bearer error="insufficient_scope", scope="yet more"'
      exchange.json({ error: 'insufficient_scope' }, 403, { 'www-authenticate': challenge })
    }
    await expect(client.callTool(call)).rejects.toMatchObject({ statusCode: 403, reason: 'unauthorized' })
    expect(provider.opened).toHaveLength(2)
    for (let nth = 0; nth < 5; nth++) await refusalOf(client.callTool(call), 'scope-refused')
    expect(provider.opened).toHaveLength(2)
    expect(place.mcp.ledger.count('tools/call')).toBeLessThanOrEqual(2 + 5)
    expect(place.mcp.ledger.executions).toEqual([])
  })

  it('[A1.12] [R-15] that it gave already is told at once: nobody signs in for nothing', async () => {
    const place = await world({ challenge: () => 'Bearer scope="a"' })
    const provider = person(place)
    const client = await connect(place, provider)
    place.protection.onRequest = (exchange) =>
      exchange.json({}, 403, { 'www-authenticate': 'Bearer error="insufficient_scope", scope="a"' })
    const error = await refusalOf(client.callTool(call), 'scope-refused')
    expect(error.message).toContain(place.mcp.host)
    expect(provider.opened).toHaveLength(1)
  })

  it('[A1.12] and another time others still gets those: one refusal is not all', async () => {
    const place = await world({
      challenge: ({ scope, error }) => `Bearer scope="${scope ?? 'a'}", error="${error ?? ''}"`,
    })
    const provider = person(place)
    const client = await connect(place, provider)
    for (const scope of ['b', 'c']) {
      place.protection.scopeOf = needs(scope)
      await client.callTool(call)
    }
    expect(asked(provider)).toEqual(['a', 'a b', 'a b c'])
  })

  it('[A1.12] for twenty calls at once gets one sign-in', async () => {
    const place = await world({
      challenge: ({ scope, error }) => `Bearer scope="${scope ?? 'a'}", error="${error ?? ''}"`,
    })
    const provider = person(place)
    const client = await connect(place, provider)
    place.protection.scopeOf = needs('b')
    const marks = Array.from({ length: 20 }, (_, nth) => `m${nth}`)
    await Promise.all(marks.map((mark) => client.callTool({ name: 'echo', arguments: { mark } })))
    expect(provider.opened).toHaveLength(2)
    expect(place.mcp.ledger.mostExecutionsOfOneCall()).toBe(1)
    expect(place.mcp.ledger.executions).toHaveLength(20)
  })

  it.each([
    ['no challenge', undefined],
    ['another error', 'Bearer error="invalid_token"'],
    ['another scheme', 'Basic realm="x"'],
    ['an error of nothing', 'Bearer error=""'],
  ])('[A1.12] [R-15] a 403 with %s starts no sign-in', async (_, challenge) => {
    const place = await world()
    const provider = person(place)
    const client = await connect(place, provider)
    place.protection.onRequest = (exchange) =>
      exchange.json({}, 403, challenge === undefined ? {} : { 'www-authenticate': challenge })
    await expect(client.callTool(call)).rejects.toMatchObject({ statusCode: 403 })
    expect(provider.opened).toHaveLength(1)
    expect(place.mcp.ledger.count('tools/call')).toBe(1)
  })

  it('[A1.12] without saying which gets none', async () => {
    const place = await world()
    const provider = person(place)
    const client = await connect(place, provider)
    place.protection.onRequest = (exchange) =>
      exchange.json({}, 403, { 'www-authenticate': 'Bearer error="insufficient_scope"' })
    await refusalOf(client.callTool(call), 'scope-refused')
    expect(provider.opened).toHaveLength(1)
  })
})
