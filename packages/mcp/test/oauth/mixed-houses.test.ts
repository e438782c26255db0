import {
  auth,
  ClientCredentialsProvider,
  type OAuthClientProvider,
  type Question,
  signOut,
} from '@switchboard/mcp/oauth'
import type { AuthorizationServer } from '@switchboard/testkit/authorization-server'
import { describe, expect, it } from 'vitest'
import {
  connect,
  person,
  recordingFetch,
  REDIRECT,
  refusalOf,
  skipTime,
  startHouse,
  startListener,
  type World,
  world,
} from './scenario.ts'

const call = { name: 'echo', arguments: { mark: 'once' } }

/** The server says from now on that another authorization server gives its tokens. */
function moveTo({ as, protection }: World, other: AuthorizationServer): void {
  protection.metadata = { authorization_servers: [other.issuer] }
  as.revokeAll()
}

/** What a client showed an authorization server of itself. */
const shown = (as: AuthorizationServer) => as.requests.filter(({ method }) => method === 'POST')

describe('[A1.2] a server that names another authorization server', () => {
  it('[A1.2] gets a question, and the new one sees nothing of the old one’s', async () => {
    const place = await world()
    const other = await startHouse()
    const provider = person(place)
    const client = await connect(place, provider)
    const [clientId = ''] = place.as.clients.keys()
    moveTo(place, other)
    const error = await refusalOf(client.callTool(call), 'provider-changed')
    expect(error.message).toContain(place.as.host)
    expect(error.message).toContain(other.host)
    expect(shown(other)).toEqual([])
    expect(other.heard).not.toContain(clientId)
    expect(provider.opened).toHaveLength(1)
  })

  it('[A1.2] is followed after a yes: with a new registration and a new sign-in, and nothing old', async () => {
    const place = await world()
    const other = await startHouse()
    const questions: Question[] = []
    const signIn = (url: URL) => (url.origin === other.origin ? other : place.as).signIn(url)
    const provider = person(place, {
      signIn,
      confirm: (question) => {
        questions.push(question)
        return true
      },
    })
    const client = await connect(place, provider)
    const [clientId = ''] = place.as.clients.keys()
    moveTo(place, other)
    place.mcp.onRequest = undefined
    const { protect } = await import('@switchboard/testkit/protected-server')
    protect(place.mcp, other)
    await client.callTool(call)
    expect(questions).toEqual([
      { kind: 'provider-changed', server: place.mcp.origin, from: place.as.issuer, to: other.issuer },
    ])
    expect(other.to('/register')).toHaveLength(1)
    expect(other.tokenRequests.map((form) => form.get('grant_type'))).toEqual(['authorization_code'])
    expect(other.heard).not.toContain(clientId)
    expect((await provider.tokens())?.issuer).toBe(other.issuer)
  })

  it('[A1.2] does not get a refresh token ahead of time either', async () => {
    const time = skipTime()
    const place = await world()
    const other = await startHouse()
    const provider = person(place)
    const client = await connect(place, provider)
    place.protection.metadata = { authorization_servers: [other.issuer] }
    time.by(3_590_000)
    await client.callTool(call)
    expect(shown(other)).toEqual([])
    expect(place.as.tokenRequests).toHaveLength(1)
  })

  it('[A1.2] does not get a token that is to be revoked', async () => {
    const place = await world()
    const other = await startHouse((as) => (as.metadata = { revocation_endpoint: `${as.origin}/revoke` }))
    const provider = person(place)
    await connect(place, provider)
    place.protection.metadata = { authorization_servers: [other.issuer] }
    await signOut(provider, { serverUrl: place.mcp.url })
    expect(shown(other)).toEqual([])
    expect(await provider.tokens()).toBeUndefined()
  })

  it('[A1.2] does not get a secret that was shown to another first', async () => {
    const place = await world()
    const other = await startHouse()
    place.as.clients.set('machine', { secret: 'canary-secret-of-machine' })
    const provider = new ClientCredentialsProvider({
      serverUrl: place.mcp.url,
      clientId: 'machine',
      clientSecret: 'canary-secret-of-machine',
      confirm: () => true,
    })
    const client = await connect(place, provider)
    moveTo(place, other)
    await refusalOf(client.callTool(call), 'no-client')
    expect(shown(other)).toEqual([])
    expect(other.heard).not.toContain('canary')
    expect(other.heard).not.toContain('machine')
  })

  it('[A1.2] does not get a secret that belongs to another, not even the first time', async () => {
    const place = await world()
    const provider = new ClientCredentialsProvider({
      serverUrl: place.mcp.url,
      clientId: 'machine',
      clientSecret: 'canary-secret-of-machine',
      issuer: 'https://as.example',
      confirm: () => true,
    })
    await refusalOf(connect(place, provider), 'no-client')
    expect(shown(place.as)).toEqual([])
    expect(place.as.heard).not.toContain('canary')
    expect(place.as.heard).not.toContain('machine')
  })

  it('[A1.2] does not get the secret of a provider that does not say whose it is', async () => {
    const place = await world()
    const provider: OAuthClientProvider = {
      redirectUrl: REDIRECT,
      clientMetadata: { redirect_uris: [REDIRECT] },
      clientInformation: () => ({ client_id: 'app', client_secret: 'canary-secret-of-app' }),
      tokens: () => undefined,
      saveTokens: () => {},
      redirectToAuthorization: () => {},
      saveCodeVerifier: () => {},
      codeVerifier: () => '',
    }
    const error = await refusalOf(connect(place, provider), 'no-client')
    expect(error.message).toContain('issuer')
    expect(place.as.heard).not.toContain('canary')
    expect(place.as.tokenRequests).toEqual([])
  })

  it('[A1.2] a code of one authorization server is not taken to another', async () => {
    const place = await world()
    const other = await startHouse()
    const provider = person(place, {
      confirm: () => true,
      signIn: async (url) => {
        const answer = await place.as.signIn(url)
        if (url.origin === place.as.origin) place.protection.metadata = { authorization_servers: [other.issuer] }
        await auth(provider, { serverUrl: place.mcp.url, callback: answer }).then(
          () => Promise.reject(new Error('accepted')),
          (error: Error) => void (heard = error),
        )
      },
    })
    let heard: Error | undefined
    await auth(provider, { serverUrl: place.mcp.url })
    expect(heard).toMatchObject({ fault: 'issuer-mismatch' })
    expect(other.tokenRequests).toEqual([])
    expect(place.as.tokenRequests).toEqual([])
  })

  it('[A1.2] the one that is known stays while it is still among several', async () => {
    const place = await world()
    const other = await startHouse()
    const provider = person(place)
    const client = await connect(place, provider)
    place.protection.metadata = { authorization_servers: [other.issuer, place.as.issuer] }
    place.as.expireTokens()
    await client.callTool(call)
    expect(place.as.tokenRequests.map((form) => form.get('grant_type'))).toEqual([
      'authorization_code',
      'refresh_token',
    ])
    expect(other.requests).toEqual([])
  })
})

describe('[A1.3] mixed metadata', () => {
  it('[A1.3] with a sign-in page of one house and a token endpoint of another stops before the sign-in page', async () => {
    const place = await world()
    const idp = await startHouse()
    const evil = await startListener()
    place.as.metadata = { authorization_endpoint: `${idp.origin}/authorize`, token_endpoint: `${evil.origin}/token` }
    const provider = person(place)
    const error = await refusalOf(connect(place, provider), 'foreign-endpoints')
    for (const { host } of [place.as, idp, evil]) expect(error.message).toContain(host)
    expect(provider.opened).toEqual([])
    expect(evil.requests).toEqual([])
    expect(place.as.to('/register')).toEqual([])
  })

  it('[A1.3] even after a yes, an answer in the name of the other house brings no token request', async () => {
    const place = await world()
    const idp = await startHouse()
    const evil = await startListener()
    place.as.metadata = { authorization_endpoint: `${idp.origin}/authorize`, token_endpoint: `${evil.origin}/token` }
    idp.clients.set('app', {})
    const questions: Question[] = []
    const provider = person(place, {
      clientInformation: { client_id: 'app', issuer: place.as.issuer },
      confirm: (question) => {
        questions.push(question)
        return true
      },
      signIn: idp.signIn,
    })
    await refusalOf(connect(place, provider), 'foreign-answer')
    expect(questions).toEqual([
      {
        kind: 'foreign-endpoints',
        server: place.mcp.origin,
        issuer: place.as.origin,
        authorization: idp.origin,
        token: evil.origin,
        others: [],
      },
    ])
    expect(provider.opened).toHaveLength(1)
    expect(evil.requests).toEqual([])
    expect(idp.tokenRequests).toEqual([])
  })

  it.each(['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'])(
    '[A1.3] a %s at another house alone is not used unasked',
    async (name) => {
      const place = await world()
      const evil = await startListener()
      place.as.metadata = { [name]: `${evil.origin}/x` }
      const provider = person(place)
      const error = await refusalOf(connect(place, provider), 'foreign-endpoints')
      expect(error.message).toContain(evil.host)
      await signOut(provider, { serverUrl: place.mcp.url })
      expect(evil.requests).toEqual([])
      expect(provider.opened).toEqual([])
    },
  )

  it('[A1.3] a server without documents is not asked for /authorize, /token and /register', async () => {
    const place = await world()
    place.protection.metadataPaths = []
    const provider = person(place)
    const { fetch, asked } = recordingFetch()
    const error = await refusalOf(connect(place, provider, { fetch }), 'bad-document')
    expect(error.message).toContain(place.mcp.host)
    expect(asked.filter((url) => /authorize|token|register/.test(new URL(url).pathname))).toEqual([])
    expect(provider.opened).toEqual([])
  })

  it('[A1.3] an authorization server without metadata is not guessed at, not even where old servers are', async () => {
    const place = await world()
    place.as.metadataPaths = []
    const provider = person(place, { allowLegacyDiscovery: true })
    const error = await refusalOf(connect(place, provider), 'bad-document')
    expect(error.message).toContain(place.as.host)
    expect(shown(place.as)).toEqual([])
    expect(provider.opened).toEqual([])
  })

  const OTHERS = {
    'another house': () => 'https://attacker.example',
    'a slash more': (issuer: string) => `${issuer}/`,
    'a path more': (issuer: string) => `${issuer}/tenant`,
    'capital letters': (issuer: string) => issuer.replace('http', 'HTTP'),
    'a blank more': (issuer: string) => ` ${issuer}`,
    'the address of the server': (_: string, mcp: string) => mcp,
    nothing: () => undefined,
    null: () => null,
    'a number': () => 7,
    'a list': (issuer: string) => [issuer],
  }
  it.each(Object.entries(OTHERS))('[A1.3] metadata issued in the name of %s are not used', async (_, name) => {
    const place = await world()
    place.as.metadata = { issuer: name(place.as.issuer, place.mcp.url) }
    const provider = person(place, { confirm: () => true })
    const error = await refusalOf(connect(place, provider), 'issuer-mismatch')
    expect(error.message).toContain(place.as.host)
    expect(shown(place.as)).toEqual([])
    expect(place.as.to('/authorize')).toEqual([])
    expect(provider.opened).toEqual([])
  })
})

describe('[A1.4] the house that answers', () => {
  const ISSUER = 'https://as.example'

  /** A flow whose sign-in page brings this back; the authorization server has a name with letters. */
  async function flow(change: (answer: URLSearchParams) => void, advertised = true) {
    const place = await world()
    const { as, mcp, protection } = place
    const serverUrl = 'https://mcp.example/mcp'
    as.name = ISSUER
    as.metadata = { authorization_response_iss_parameter_supported: advertised ? true : undefined }
    as.onCallback = change
    protection.metadata = { resource: serverUrl }
    const { fetch } = recordingFetch({ 'https://mcp.example': mcp.origin, [ISSUER]: as.origin })
    const provider = person(place, { serverUrl, signIn: (url) => as.signIn(url, fetch) })
    return { as, provider, result: auth(provider, { serverUrl, fetchFn: fetch }) }
  }

  const refused: Record<string, [change: (answer: URLSearchParams) => void, advertised?: boolean]> = {
    'none although it was promised': [(answer) => answer.delete('iss')],
    'an empty one': [(answer) => answer.set('iss', '')],
    'another house': [(answer) => answer.set('iss', 'https://evil.example')],
    'a slash more': [(answer) => answer.set('iss', `${ISSUER}/`)],
    'capital letters': [(answer) => answer.set('iss', 'https://AS.example')],
    'the port that goes without saying': [(answer) => answer.set('iss', `${ISSUER}:443`)],
    'the same twice': [(answer) => answer.append('iss', ISSUER)],
    'another behind the right one': [(answer) => answer.append('iss', 'https://evil.example')],
    'another, where none was promised': [(answer) => answer.set('iss', 'https://evil.example'), false],
    'a slash more, where none was promised': [(answer) => answer.set('iss', `${ISSUER}/`), false],
  }
  it.each(Object.entries(refused))('[A1.4] an answer in the name of %s brings no token request', async (_, row) => {
    const { as, provider, result } = await flow(...row)
    await refusalOf(result, 'foreign-answer')
    expect(as.to('/authorize')).toHaveLength(1)
    expect(as.tokenRequests).toEqual([])
    expect(provider.opened).toHaveLength(1)
  })

  const accepted: Record<string, [change: (answer: URLSearchParams) => void, advertised?: boolean]> = {
    'the right one': [() => {}],
    'none, where none was promised': [(answer) => answer.delete('iss'), false],
    'the right one, where none was promised': [() => {}, false],
  }
  it.each(Object.entries(accepted))('[A1.4] an answer in the name of %s goes on', async (_, row) => {
    const { as, result } = await flow(...row)
    expect(await result).toBe('AUTHORIZED')
    expect(as.tokenRequests).toHaveLength(1)
  })

  it('[A1.4] an error in the name of another house is not shown', async () => {
    const { as, result } = await flow((answer) => {
      answer.delete('code')
      answer.set('iss', 'https://evil.example')
      answer.set('error', 'call_support')
      answer.set('error_description', 'Call 555-0100 and say your password')
    })
    const error = await refusalOf(result, 'foreign-answer')
    expect(JSON.stringify([error.message, error.oauthCode, String(error.stack)])).not.toMatch(/call_support|555|evil/)
    expect(as.tokenRequests).toEqual([])
  })
})
