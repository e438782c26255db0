import { auth } from '@switchboard/mcp/oauth'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connect, person, refusalOf, skipTime, world } from './scenario.ts'

const DAY_MS = 24 * 3600_000
const grants = (as: { tokenRequests: URLSearchParams[] }) => as.tokenRequests.map((form) => form.get('grant_type'))

/** What the token endpoint says, and what is known afterwards: seconds, or nothing. */
const LIFETIMES: [told: unknown, kept: number | undefined][] = [
  [3600, 3600],
  [-1, 0],
  [0, 0],
  [1e308, 31_536_000],
  [-1e308, 0],
  ['3600', 3600],
  ['1e400', 31_536_000],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
  [true, undefined],
  [[3600], undefined],
  [{ valueOf: 3600 }, undefined],
  [0.5, 0.5],
]

describe('[A1.16] the lifetime of a token', () => {
  it.each(LIFETIMES)('[A1.16] given as %j is kept as %j, and brings no storm of refreshes', async (told, kept) => {
    const place = await world()
    place.as.lifetime = told
    const provider = person(place)
    const began = performance.now()
    const client = await connect(place, provider)
    expect((await provider.tokens())?.expires_in).toBe(kept)
    for (let nth = 0; nth < 20; nth++) await client.callTool({ name: 'echo', arguments: { mark: `m${nth}` } })
    expect(place.mcp.ledger.executions).toHaveLength(20)
    expect(provider.opened).toHaveLength(1)
    // A token of half a second may have ended again where the calls take longer than a moment.
    const most = 3 + (kept === 0.5 ? Math.floor((performance.now() - began) / 250) : 0)
    expect(place.as.tokenRequests.length, 'token requests for 21 calls within a moment').toBeLessThanOrEqual(most)
    expect(place.as.reuses).toBe(0)
  })

  it('[A1.16] that nobody knows lasts until the server says no', async () => {
    const time = skipTime()
    const place = await world()
    place.as.lifetime = undefined
    const provider = person(place)
    const client = await connect(place, provider)
    time.by(400 * DAY_MS)
    await client.listTools()
    expect(grants(place.as)).toEqual(['authorization_code'])
    place.as.expireTokens()
    await client.listTools()
    expect(grants(place.as)).toEqual(['authorization_code', 'refresh_token'])
  })

  it('[O9] [A1.16] is renewed before it ends, not before it is used', async () => {
    const time = skipTime()
    const place = await world()
    place.as.lifetime = 600
    const client = await connect(place, person(place))
    time.by(560_000)
    await client.listTools()
    expect(grants(place.as)).toHaveLength(1)
    time.by(20_000)
    await client.listTools()
    expect(grants(place.as)).toEqual(['authorization_code', 'refresh_token'])
    // The server never had to refuse one.
    const refused = place.mcp.ledger.entries.filter(({ headers }) => headers['authorization'] === undefined)
    expect(refused.filter(({ httpMethod }) => httpMethod === 'POST')).toHaveLength(1)
  })

  it.each([
    ['no token', { access_token: undefined }],
    ['an empty token', { access_token: '' }],
    ['a number for a token', { access_token: 7 }],
    ['a list for a token', { access_token: ['x'] }],
    ['no type', { token_type: undefined }],
    ['a strange type', { token_type: 'mac' }],
    ['a number for a type', { token_type: 1 }],
    ['a token with a line end', { access_token: 'a\r\nx-evil: 1' }],
  ])('[A1.16] an answer with %s is refused with the name of the house', async (_, change) => {
    const place = await world()
    place.as.faults.set('/token', (_asked, usual) => ({ body: { ...(usual().body as object), ...change } }))
    const provider = person(place)
    const error = await refusalOf(connect(place, provider), 'bad-document')
    expect(error.message).toContain(place.as.host)
    expect(error.message).toContain('token endpoint')
    expect(provider.opened).toHaveLength(1)
    expect(place.as.tokenRequests).toHaveLength(1)
    expect(await provider.tokens()).toBeUndefined()
  })

  it.each([
    ['a number for a refresh token', { refresh_token: 7 }],
    ['an object for a scope', { scope: { a: 1 } }],
    ['a list for an id token', { id_token: [] }],
    ['a prototype', { __proto__x: 1, constructor: 'x', toString: 1 }],
  ])('[A1.16] %s is left out of what is kept', async (_, change) => {
    const place = await world()
    place.as.faults.set('/token', (_asked, usual) => ({ body: { ...(usual().body as object), ...change } }))
    const provider = person(place)
    await connect(place, provider)
    const tokens = await provider.tokens()
    for (const name of Object.keys(change)) expect(Object.keys(tokens ?? {})).not.toContain(name)
  })

  it('[A1.16] the type of a token is read in any letters', async () => {
    for (const type of ['bearer', 'BEARER', 'Bearer']) {
      const place = await world()
      place.as.faults.set('/token', (_, usual) => ({ body: { ...(usual().body as object), token_type: type } }))
      await connect(place, person(place))
      expect(place.mcp.ledger.entries.at(-1)?.headers['authorization']).toMatch(/^Bearer canary/)
    }
  })

  it('[A1.16] answers of 5 MB are refused', async () => {
    const place = await world()
    place.as.faults.set('/token', (_, usual) => ({
      body: { ...(usual().body as object), scope: 'x'.repeat(5_000_000) },
    }))
    const error = await refusalOf(auth(person(place), { serverUrl: place.mcp.url }), 'bad-document')
    expect(error.message).toContain(place.as.host)
  })
})

describe('[R-23] a clock that is wrong', () => {
  it.each([DAY_MS, -DAY_MS])('[R-23] by %i ms changes nothing about when a token is renewed', async (skew) => {
    const real = Date.now.bind(Date)
    let skewed = 0
    const spy = vi.spyOn(Date, 'now').mockImplementation(() => real() + skewed)
    onTestFinished(() => spy.mockRestore())
    const time = skipTime()
    const place = await world()
    const provider = person(place)
    const client = await connect(place, provider)
    skewed = skew
    await client.listTools()
    expect(grants(place.as)).toEqual(['authorization_code'])
    time.by(3_590_000)
    await client.listTools()
    await client.listTools()
    expect(grants(place.as)).toEqual(['authorization_code', 'refresh_token'])
    expect(provider.opened).toHaveLength(1)
  })

  it('[R-23] a token from the future of a clock that was set back is used until the server says no', async () => {
    const place = await world()
    const provider = person(place)
    const client = await connect(place, provider)
    const tokens = await provider.tokens()
    await provider.saveTokens({ ...tokens!, obtained_at: (tokens?.obtained_at ?? 0) + DAY_MS, expires_in: 60 })
    for (let nth = 0; nth < 5; nth++) await client.listTools()
    expect(grants(place.as)).toEqual(['authorization_code'])
    place.as.expireTokens()
    await client.listTools()
    expect(grants(place.as)).toEqual(['authorization_code', 'refresh_token'])
  })

  it('[R-23] a token that a wrong clock calls ended is renewed once, not again and again', async () => {
    const place = await world()
    const provider = person(place)
    const client = await connect(place, provider)
    const tokens = await provider.tokens()
    await provider.saveTokens({ ...tokens!, obtained_at: (tokens?.obtained_at ?? 0) - DAY_MS })
    for (let nth = 0; nth < 5; nth++) await client.listTools()
    expect(grants(place.as)).toEqual(['authorization_code', 'refresh_token'])
  })
})
