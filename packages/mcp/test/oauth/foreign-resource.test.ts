import { auth, type OAuthClientProvider, type OAuthTokens, type Question } from '@switchboard/mcp/oauth'
import { describe, expect, it } from 'vitest'
import { connect, person, recordingFetch, REDIRECT, refusalOf, serveProtected, world } from './scenario.ts'

describe('[A1.5] a server that speaks of another one', () => {
  const OTHERS: Record<string, (url: string) => unknown> = {
    'another origin': () => 'https://victim.example/mcp',
    'the same host on another port': (url) => url.replace(/:\d+/, ':1'),
    'another scheme': (url) => url.replace('http:', 'https:'),
    'a sibling': (url) => url.replace('/mcp', '/other'),
    'a longer sibling': (url) => `${url}-admin`,
    'the beginning of its own path': (url) => url.slice(0, -1),
    'a child': (url) => `${url}/admin`,
    'its own address with a query': (url) => `${url}?tenant=2`,
    'its own address with a fragment': (url) => `${url}#x`,
    'its own address with credentials': (url) => url.replace('http://', 'http://user:password@'),
    'a sibling by way of dots': (url) => `${url}/../other`,
    'its own address as the name of somebody': (url) => `https://${new URL(url).host}@victim.example/mcp`,
    'no address': () => 'mcp',
    nothing: () => undefined,
    null: () => null,
    'a number': () => 7,
    'a list': (url) => [url],
    'an object': () => ({}),
  }
  it.each(Object.entries(OTHERS))('[O5] [A1.5] %s is refused before anybody is sent anywhere', async (_, resource) => {
    const place = await world()
    place.protection.metadata = { resource: resource(place.mcp.url) }
    const provider = person(place, { confirm: () => true })
    const error = await refusalOf(connect(place, provider), ['resource-mismatch', 'bad-document'])
    expect(error.message).toContain(place.mcp.host)
    expect(provider.opened).toEqual([])
    expect(place.as.requests).toEqual([])
  })

  it.each([
    ['https://mcp.example', 'https://mcp.example.evil/mcp'],
    ['https://mcp.example/a', 'https://mcp.example/ab'],
    ['https://mcp.example/a/', 'https://mcp.example/ab'],
    ['https://mcp.example/', 'https://mcp.example:8443/mcp'],
    ['https://mcp.example/mcp', 'https://mcp.example/mcp.evil'],
    ['https://mcp.example/A', 'https://mcp.example/a'],
    ['https://mcp.example/a%2f', 'https://mcp.example/a/b'],
  ])('[A1.5] %s is not %s', async (resource, serverUrl) => {
    const { mcp, as, protection } = await world()
    const { origin, pathname } = new URL(serverUrl)
    as.name = 'https://as.example'
    protection.metadata = { resource }
    protection.metadataPaths = [`/.well-known/oauth-protected-resource${pathname}`]
    const { fetch } = recordingFetch({ [origin]: mcp.origin, 'https://as.example': as.origin })
    const provider = person({ mcp, as }, { serverUrl })
    await refusalOf(auth(provider, { serverUrl, fetchFn: fetch }), 'resource-mismatch')
    expect(provider.opened).toEqual([])
    expect(as.requests).toEqual([])
  })

  it('[A1.5] tokens for a whole host are asked for after showing it, and not at all after a no', async () => {
    for (const agrees of [true, false]) {
      const place = await world()
      const { mcp } = place
      place.protection.metadata = { resource: mcp.origin }
      const questions: Question[] = []
      const confirm = (question: Question) => {
        questions.push(question)
        return agrees
      }
      const provider = person(place, { confirm })
      const connecting = connect(place, provider)
      if (agrees) await connecting
      else await refusalOf(connecting, 'parent-resource')
      expect(questions).toEqual([{ kind: 'parent-resource', server: mcp.url, resource: mcp.origin }])
      expect(provider.opened).toHaveLength(agrees ? 1 : 0)
      // Letter by letter as the server wrote it.
      for (const form of place.as.tokenRequests) expect(form.get('resource')).toBe(mcp.origin)
      if (agrees) expect((await provider.tokens())?.resource).toBe(mcp.origin)
    }
  })

  it('[O5] [A1.5] the resource goes out with the sign-in, the code and the refresh, and stays with the tokens', async () => {
    const place = await world()
    const provider = person(place)
    const client = await connect(place, provider)
    place.as.expireTokens()
    await client.listTools()
    expect(provider.opened.map((url) => url.searchParams.get('resource'))).toEqual([place.mcp.url])
    expect(place.as.tokenRequests.map((form) => form.getAll('resource'))).toEqual([[place.mcp.url], [place.mcp.url]])
    expect(await provider.tokens()).toMatchObject({ resource: place.mcp.url, issuer: place.as.issuer })
  })
})

describe('[A1.5] a token', () => {
  /** A provider that hands the same tokens to whoever asks. */
  const careless = (tokens: OAuthTokens): OAuthClientProvider => ({
    redirectUrl: REDIRECT,
    clientMetadata: { redirect_uris: [REDIRECT] },
    clientInformation: () => undefined,
    tokens: () => tokens,
    saveTokens: () => {},
    redirectToAuthorization: () => {},
    saveCodeVerifier: () => {},
    codeVerifier: () => '',
  })
  const sent = (headers: Record<string, unknown>) => String(headers['authorization'] ?? '')

  it('[O11] [A1.5] is not sent to another server that a careless provider is used for', async () => {
    const first = await world()
    await connect(first, person(first))
    const [token = ''] = first.as.tokens.keys()
    const second = await serveProtected(first.as)
    const provider = careless({
      access_token: token,
      token_type: 'Bearer',
      resource: first.mcp.url,
      issuer: first.as.issuer,
    })
    await connect(second, provider).catch(() => {})
    expect(second.mcp.ledger.entries.length).toBeGreaterThan(0)
    for (const { headers } of second.mcp.ledger.entries) expect(sent(headers)).toBe('')
  })

  it('[A1.5] for one server is not refreshed for another one of the same house', async () => {
    const first = await world()
    const provider = person(first)
    await connect(first, provider)
    const second = await serveProtected(first.as)
    const tokens = await provider.tokens()
    const client = await provider.clientInformation({ issuer: first.as.issuer })
    await connect(second, { ...careless(tokens!), clientInformation: () => client }).catch(() => {})
    expect(first.as.tokenRequests.map((form) => form.get('grant_type'))).toEqual(['authorization_code'])
    for (const { headers } of second.mcp.ledger.entries) expect(sent(headers)).toBe('')
  })

  it.each([
    ['https://mcp.example', 'https://mcp.example.evil/mcp'],
    ['https://mcp.example/', 'https://mcp.example.evil/mcp'],
    ['https://mcp.example', 'https://mcp.example:8443/mcp'],
    ['https://mcp.example/mcp', 'https://mcp.example/mcp2'],
    ['https://mcp.example/mcp/', 'https://mcp.example/mcp2'],
    ['https://mcp.example/mcp', 'https://mcp.example/'],
    ['no address', 'https://mcp.example/'],
  ])('[A1.5] for %s is not sent to %s', async (resource, url) => {
    const { mcp } = await world()
    const { origin } = new URL(url)
    const { fetch, asked } = recordingFetch({ [origin]: mcp.origin })
    const provider = careless({ access_token: 'canary-foreign-token', token_type: 'Bearer', resource })
    await connect({ mcp }, provider, { url, fetch }).catch(() => {})
    expect(asked.length).toBeGreaterThan(0)
    for (const { headers } of mcp.ledger.entries) expect(sent(headers)).toBe('')
  })

  it.each([
    ['https://mcp.example', 'https://mcp.example/mcp'],
    ['https://mcp.example/', 'https://mcp.example/mcp'],
    ['https://mcp.example/mcp', 'https://mcp.example/mcp'],
    ['https://mcp.example/mcp/', 'https://mcp.example/mcp'],
    ['https://mcp.example/a', 'https://mcp.example/a/b?c'],
  ])('[A1.5] for %s is sent to %s', async (resource, url) => {
    const { mcp } = await world()
    mcp.onRequest = undefined
    const { fetch } = recordingFetch({ 'https://mcp.example': mcp.origin })
    const provider = careless({ access_token: 'token-of-our-own', token_type: 'Bearer', resource })
    await connect({ mcp }, provider, { url, fetch })
    for (const { headers } of mcp.ledger.entries) expect(sent(headers)).toBe('Bearer token-of-our-own')
  })
})
