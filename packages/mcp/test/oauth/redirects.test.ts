import { auth, signOut } from '@switchboard/mcp/oauth'
import type { Listener } from '@switchboard/testkit/authorization-server'
import { describe, expect, it } from 'vitest'
import { connect, person, refusalOf, startListener, type World, world } from './scenario.ts'

const STATUSES = [301, 302, 303, 307, 308]

const TARGETS: Record<string, (canary: Listener) => string> = {
  'another port': (canary) => `${canary.origin}/stolen`,
  'plain http elsewhere': () => 'http://evil.example/stolen',
  'a socket': () => 'unix:///var/run/docker.sock',
  'its own data': () => 'data:application/json,{}',
  'its own origin': () => '/elsewhere',
}

type Order = (place: World, status: number, location: string) => void
const at =
  (path: string): Order =>
  ({ as }, status, location) =>
    as.faults.set(path, () => ({ status, headers: { location } }))

const PLACES: Record<string, Order> = {
  'protected resource metadata': ({ protection }, status, location) =>
    (protection.answerMetadata = () => ({ status, headers: { location } })),
  'authorization server metadata': at('/.well-known/oauth-authorization-server'),
  'registration endpoint': at('/register'),
  'token endpoint': at('/token'),
}

const ROWS = STATUSES.flatMap((status) => Object.keys(TARGETS).map((target) => [status, target] as const))

for (const [name, order] of Object.entries(PLACES)) {
  describe(`[A1.7] the ${name}`, () => {
    it.each(ROWS)('[O12] [A1.7] [R-18] redirects with %i to %s: told, not followed', async (status, target) => {
      const canary = await startListener()
      const place = await world()
      const location = TARGETS[target]!(canary)
      order(place, status, location)
      const error = await refusalOf(connect(place, person(place)), 'redirect')
      expect(error.message).toContain(name)
      const { protocol, host } = new URL(location, (name.startsWith('protected') ? place.mcp : place.as).origin)
      expect(error.message).toContain(`${protocol}//${host}`)
      expect(error.message).not.toContain('stolen')
      expect(canary.connections).toBe(0)
      const told = [...place.as.requests.map(({ path }) => path), ...place.mcp.ledger.entries.map(({ path }) => path)]
      expect(told).not.toContain('/elsewhere')
    })
  })
}

describe('[A1.7] a refresh and a revocation', () => {
  it.each(ROWS)('[A1.7] redirected with %i to %s show the refresh token to nobody else', async (status, target) => {
    const canary = await startListener()
    const place = await world()
    place.as.metadata = { revocation_endpoint: `${place.as.origin}/revoke` }
    const provider = person(place)
    const client = await connect(place, provider)
    const location = TARGETS[target]!(canary)
    at('/token')(place, status, location)
    at('/revoke')(place, status, location)
    place.as.expireTokens()
    await refusalOf(client.listTools(), 'redirect')
    await refusalOf(signOut(provider, { serverUrl: place.mcp.url }), 'redirect')
    expect(canary.connections).toBe(0)
    expect(place.as.to('/elsewhere')).toEqual([])
    expect(provider.opened).toHaveLength(1)
    expect(await provider.tokens()).toBeUndefined()
  })
})

describe('[A1.7] the MCP server', () => {
  it.each(ROWS)(
    '[A1.7] [R-18] redirects a call with a token with %i to %s: told, not followed',
    async (status, target) => {
      const canary = await startListener()
      const place = await world()
      for (const redirect of ['error', 'follow'] as const) {
        const client = await connect(place, person(place), { redirect })
        const location = TARGETS[target]!(canary)
        // Within its own origin it may be followed where people want it.
        if (redirect === 'follow' && location.startsWith('/')) continue
        place.protection.onRequest = (exchange) => exchange.send(status, { location })
        await expect(client.callTool({ name: 'echo', arguments: {} })).rejects.toMatchObject({ reason: 'redirect' })
        place.protection.onRequest = undefined
      }
      expect(canary.connections).toBe(0)
      expect(place.mcp.ledger.executions).toEqual([])
    },
  )

  it('[A1.7] that redirects before the sign-in starts none', async () => {
    const canary = await startListener()
    const place = await world()
    const provider = person(place)
    place.mcp.onRequest = (exchange) => exchange.send(307, { location: `${canary.origin}/mcp` })
    await expect(connect(place, provider)).rejects.toMatchObject({ reason: 'redirect' })
    expect(provider.opened).toEqual([])
    expect(canary.connections).toBe(0)
  })

  it('[A1.7] a redirect without a place to go is told as well', async () => {
    const place = await world()
    for (const headers of [{}, { location: '' }, { location: 'http://[' }]) {
      place.as.faults.set('/token', () => ({ status: 302, headers }))
      const error = await refusalOf(auth(person(place), { serverUrl: place.mcp.url }), 'redirect')
      expect(error.message).toContain(place.as.host)
    }
  })
})
