import { auth, createMCPClient } from '@switchboard/mcp/oauth'
import { protect } from '@switchboard/testkit/protected-server'
import { describe, expect, it } from 'vitest'
import { closing, quick } from '../faults/scenario.ts'
import { connect, person, recordingFetch, refusalOf, type World, world } from './scenario.ts'

const PRM = '/.well-known/oauth-protected-resource'
const paths = (urls: string[], origin: string) =>
  urls.filter((url) => url.startsWith(`${origin}/.well-known/`)).map((url) => new URL(url).pathname)

describe('the description of a server', () => {
  it('[O3] [A9] is where the challenge says', async () => {
    const place = await world({ metadataPaths: [`${PRM}/odd`] })
    place.protection.challenge = () => `Bearer resource_metadata="${place.mcp.origin}${PRM}/odd"`
    const { fetch, asked } = recordingFetch()
    await connect(place, person(place), { fetch })
    expect(paths(asked, place.mcp.origin)).toEqual([`${PRM}/odd`])
  })

  it('[A9] is where the challenge says, be it a DPoP one or one among several', async () => {
    for (const header of [
      'DPoP resource_metadata="URL"',
      'Basic realm="a, b", Bearer error="x", resource_metadata="URL"',
    ]) {
      const place = await world({ metadataPaths: [`${PRM}/odd`] })
      place.protection.challenge = () => header.replace('URL', `${place.mcp.origin}${PRM}/odd`)
      await connect(place, person(place))
      expect(place.as.tokenRequests).toHaveLength(1)
    }
  })

  it('[O3] [A9] is looked for by the path of the server, then at the root', async () => {
    for (const found of [`${PRM}/mcp`, PRM]) {
      const place = await world({ metadataPaths: [found], challenge: () => 'Bearer' })
      const { fetch, asked } = recordingFetch()
      await connect(place, person(place), { fetch })
      expect(paths(asked, place.mcp.origin)).toEqual(found === PRM ? [`${PRM}/mcp`, PRM] : [`${PRM}/mcp`])
    }
  })

  it('[A9] is looked for without any challenge as well', async () => {
    const place = await world({ challenge: () => undefined })
    await connect(place, person(place))
    expect(place.as.tokenRequests).toHaveLength(1)
  })

  it('[A9] is read anew when a token is refused', async () => {
    const place = await world()
    const client = await connect(place, person(place))
    const { fetch, asked } = recordingFetch()
    const again = closing(
      await createMCPClient({
        transport: { type: 'http', url: place.mcp.url, fetch, backoff: quick, authProvider: person(place) },
      }),
    )
    place.as.expireTokens()
    await again.listTools()
    await client.listTools()
    expect(paths(asked, place.mcp.origin)).toEqual([`${PRM}/mcp`, `${PRM}/mcp`])
  })
})

describe('the metadata of an authorization server', () => {
  const OAUTH = '/.well-known/oauth-authorization-server'
  const OIDC = '/.well-known/openid-configuration'
  const ORDER: Record<string, string[]> = {
    '': [OAUTH, OIDC],
    '/tenant': [`${OAUTH}/tenant`, `${OIDC}/tenant`, `/tenant${OIDC}`],
    '/a/b': [`${OAUTH}/a/b`, `${OIDC}/a/b`, `/a/b${OIDC}`],
  }
  const rows = Object.entries(ORDER).flatMap(([path, order]) => order.map((found) => [path, found, order] as const))

  it.each(rows)('[O3] [A9] of an issuer with path %j is found at %s', async (path, found, order) => {
    const place = await world()
    const { as } = place
    as.metadataPaths = [found]
    as.metadata = { issuer: as.origin + path }
    place.protection.metadata = { authorization_servers: [as.origin + path] }
    as.onCallback = (answer) => answer.set('iss', as.origin + path)
    const { fetch, asked } = recordingFetch()
    await connect(place, person(place), { fetch })
    const looked = asked
      .filter((url) => url.startsWith(as.origin) && url.includes('/.well-known/'))
      .map((url) => new URL(url).pathname)
    expect(looked).toEqual(order.slice(0, order.indexOf(found) + 1))
  })

  it('[A9] that is a page for everything is none, and is told after three questions', async () => {
    const place = await world()
    place.as.faults.set('*', () => ({
      body: '<!doctype html><title>Home</title>',
      headers: { 'content-type': 'text/html' },
    }))
    const error = await refusalOf(connect(place, person(place)), 'bad-document')
    expect(error.message).toContain(place.as.host)
    expect(place.as.requests.length).toBeLessThanOrEqual(3)
  })
})

/** A server of 2025-03-26: its own authorization server, and no description of itself. */
async function oldServer(metadataPaths: string[]): Promise<World> {
  const place = await world()
  const { as, mcp } = place
  as.name = mcp.origin
  as.metadataPaths = metadataPaths
  return { ...place, protection: protect(mcp, as, { metadataPaths: [], challenge: () => 'Bearer' }) }
}

describe('a server of 2025-03-26', () => {
  it.each([
    ['its metadata', ['/.well-known/oauth-authorization-server']],
    ['its fixed addresses', []],
  ])('[O18] [A1.3] [A9] signs in by %s', async (_, metadataPaths) => {
    const place = await oldServer(metadataPaths)
    if (metadataPaths.length === 0) place.as.onCallback = (answer) => answer.delete('iss')
    const provider = person(place, metadataPaths.length === 0 ? { allowLegacyDiscovery: true } : {})
    const client = await connect(place, provider)
    await client.listTools()
    expect(provider.opened.map(({ origin, pathname }) => origin + pathname)).toEqual([`${place.mcp.origin}/authorize`])
    expect(provider.opened[0]?.searchParams.get('code_challenge_method')).toBe('S256')
    expect(place.as.to('/register')).toHaveLength(1)
  })

  it('[O18] [A1.3] [A9] is refused, without a request, when legacy discovery is off', async () => {
    const place = await oldServer(['/.well-known/oauth-authorization-server'])
    const provider = person(place, { allowLegacyDiscovery: false })
    const error = await refusalOf(connect(place, provider), 'bad-document')
    expect(error.message).toContain('does not say where to sign in')
    expect(provider.opened).toEqual([])
    expect(place.as.requests).toEqual([])
  })

  it('[A1.3] that has a description with no authorization server is not guessed at', async () => {
    const place = await world()
    place.protection.metadata = { authorization_servers: [] }
    const provider = person(place)
    await refusalOf(auth(provider, { serverUrl: place.mcp.url }), 'bad-document')
    expect(provider.opened).toEqual([])
  })

  it('[A1.3] whose metadata is in another name is not used, and its fixed addresses neither', async () => {
    const place = await oldServer(['/.well-known/oauth-authorization-server'])
    place.as.metadata = { issuer: `${place.mcp.origin}/oauth` }
    const provider = person(place, { allowLegacyDiscovery: true })
    await refusalOf(connect(place, provider), 'issuer-mismatch')
    expect(provider.opened).toEqual([])
    expect(place.as.to('/register')).toEqual([])
  })
})
