import { auth, memoryStorage, type OAuthClientProvider } from '@switchboard/mcp/oauth'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connect, person, REDIRECT, refusalOf, serveProtected, startListener, world } from './scenario.ts'

type Change = (answer: Record<string, unknown>) => unknown

/** Signs in while the registration endpoint answers with this. */
async function registered(change: Change, status = 201, metadata: Record<string, unknown> = {}) {
  const place = await world()
  place.as.metadata = metadata
  place.as.faults.set('/register', (_, usual) => ({
    status,
    body: change({ ...(usual().body as Record<string, unknown>) }),
  }))
  const provider = person(place)
  return { ...place, provider, result: auth(provider, { serverUrl: place.mcp.url }) }
}

describe('[A1.13] a registration', () => {
  const BROKEN: Record<string, [change: Change, status?: number]> = {
    'with other redirect addresses': [(answer) => ({ ...answer, redirect_uris: ['https://evil.example/callback'] })],
    'with one redirect address more': [
      (answer) => ({ ...answer, redirect_uris: [REDIRECT, 'https://evil.example/callback'] }),
    ],
    'with no redirect address': [(answer) => ({ ...answer, redirect_uris: [] })],
    'with redirect addresses that are no list': [(answer) => ({ ...answer, redirect_uris: REDIRECT })],
    'with a redirect address that is no text': [(answer) => ({ ...answer, redirect_uris: [{ [REDIRECT]: 1 }] })],
    'without a client id': [(answer) => ({ ...answer, client_id: undefined })],
    'with an empty client id': [(answer) => ({ ...answer, client_id: '' })],
    'with a number for a client id': [(answer) => ({ ...answer, client_id: 7 })],
    'with an object for a client id': [(answer) => ({ ...answer, client_id: { toString: 'x' } })],
    'with a number for a secret': [(answer) => ({ ...answer, client_secret: 7 })],
    'with a list for a secret': [(answer) => ({ ...answer, client_secret: ['x'] })],
    'with a secret that expires never or ever': [
      (answer) => ({ ...answer, client_secret: 'x', client_secret_expires_at: 'never' }),
    ],
    'that is a list': [(answer) => [answer]],
    'that is a page': [() => '<!doctype html><title>Welcome</title>'],
    'that is empty': [() => ''],
    'that is null': [() => 'null'],
    'that is half': [(answer) => JSON.stringify(answer).slice(0, 40)],
    'of 5 MB': [(answer) => ({ ...answer, client_name: 'x'.repeat(5_000_000) })],
    'that failed': [() => ({ error: 'invalid_redirect_uri', error_description: '<b>canary</b>' }), 400],
    'that failed in no way known': [() => ({ error: { code: 1 } }), 400],
    'that failed badly': [() => 'Internal error: canary', 500],
    'that wants a token': [() => ({}), 401],
    'that says nothing': [() => '', 204],
  }
  it.each(Object.entries(BROKEN))(
    '[A1.13] %s is refused, with the name of the house',
    async (name, [change, status]) => {
      const { as, provider, result } = await registered(change, status)
      const error = await refusalOf(result, ['registration-refused', 'bad-document'])
      expect(error.message).toContain(as.host)
      if (name === 'that failed') expect(error.oauthCode).toBe('invalid_redirect_uri')
      expect(provider.opened).toEqual([])
      expect(as.tokenRequests).toEqual([])
      expect(as.to('/register')).toHaveLength(1)
      expect(await provider.clientInformation({ issuer: as.issuer })).toBeUndefined()
    },
  )

  it.each([
    ['with line ends', 'a\r\nx-evil: 1'],
    ['with signs from everywhere', 'ключ-🔑-é'],
    ['with a colon and a percent sign', 'a:b%zz'],
    ['of 100,000 characters', 'k'.repeat(100_000)],
    ['of blanks', '   '],
  ])('[A1.13] a secret %s goes nowhere but where it belongs, and brings no crash', async (_, secret) => {
    for (const method of ['client_secret_basic', 'client_secret_post']) {
      const canary = await startListener()
      const { as, result } = await registered(
        (answer) => ({ ...answer, client_secret: secret, token_endpoint_auth_method: method }),
        201,
        { token_endpoint_auth_methods_supported: [method] },
      )
      await refusalOf(result, ['token-refused', 'bad-document', 'registration-refused', 'network'])
      for (const { headers } of as.requests) expect(headers['x-evil']).toBeUndefined()
      expect(canary.connections).toBe(0)
    }
  })

  it('[A1.13] is public where that is offered: no secret is asked for', async () => {
    const place = await world()
    await auth(person(place), { serverUrl: place.mcp.url })
    const [{ body } = { body: '{}' }] = place.as.to('/register')
    expect(JSON.parse(body)).toMatchObject({ token_endpoint_auth_method: 'none', redirect_uris: [REDIRECT] })
    expect(place.as.to('/token')[0]?.headers.authorization).toBeUndefined()
  })

  it.each([
    ['http://127.0.0.1:8765/callback', 'native'],
    ['http://localhost/callback', 'native'],
    ['http://[::1]:3/callback', 'native'],
    ['com.example.app:/callback', 'native'],
    ['https://app.example/callback', 'web'],
  ])('[A1.13] for %s says it is %s', async (redirectUrl, type) => {
    const place = await world()
    const provider = person(place, { redirectUrl, signIn: () => {} })
    await auth(provider, { serverUrl: place.mcp.url })
    const [{ body } = { body: '{}' }] = place.as.to('/register')
    expect(JSON.parse(body)).toMatchObject({ application_type: type, redirect_uris: [redirectUrl] })
  })

  it('[A1.13] answered with 200, and without an end of the secret, is one', async () => {
    const { as, result } = await registered(
      ({ client_id: id }) => ({ client_id: id, client_secret: 'canary-unused' }),
      200,
    )
    expect(await result).toBe('AUTHORIZED')
    expect(as.tokenRequests).toHaveLength(1)
  })

  it('[A1.13] whose secret has ended is made anew, once', async () => {
    const place = await world()
    place.as.metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic'] }
    let nth = 0
    place.as.faults.set('/register', (_, usual) => {
      const ends = ++nth === 1 ? Math.floor(Date.now() / 1000) + 60 : 0
      return { status: 201, body: { ...(usual().body as object), client_secret_expires_at: ends } }
    })
    const provider = person(place)
    await auth(provider, { serverUrl: place.mcp.url })
    await provider.invalidateCredentials('tokens')
    const later = Date.now() + 120_000
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => later)
    onTestFinished(() => clock.mockRestore())
    await auth(provider, { serverUrl: place.mcp.url })
    await provider.invalidateCredentials('tokens')
    await auth(provider, { serverUrl: place.mcp.url })
    expect(place.as.to('/register')).toHaveLength(2)
    const clients = place.as.to('/token').map(({ headers }) => headers.authorization)
    expect(clients[0]).not.toBe(clients[1])
    expect(clients[1]).toBe(clients[2])
  })

  it('[O7] [A1.13] is made once for all servers of a house that are connected at the same time', async () => {
    const first = await world()
    const places = [first, await serveProtected(first.as), await serveProtected(first.as)]
    const storage = memoryStorage()
    const providers = places.map((place) => person(place, { storage }))
    await Promise.all(places.map((place, nth) => connect(place, providers[nth]!)))
    expect(first.as.to('/register')).toHaveLength(1)
    expect(providers.map(({ opened }) => opened.length)).toEqual([1, 1, 1])
  })

  it('[A1.13] that the authorization server forgot is made anew, once', async () => {
    const place = await world()
    const provider = person(place)
    const client = await connect(place, provider)
    place.as.clients.clear()
    place.as.revokeAll()
    await client.listTools()
    expect(place.as.to('/register')).toHaveLength(2)
    expect(provider.opened).toHaveLength(2)
  })

  it.each(['at the sign-in page', 'at the token endpoint'])(
    '[A1.13] that the authorization server forgot while nobody was signed in is made anew: it says so %s',
    async (where) => {
      const place = await world()
      const provider = person(place)
      await connect(place, provider)
      const [stale = ''] = place.as.clients.keys()
      await provider.invalidateCredentials('tokens')
      if (where === 'at the token endpoint') {
        place.as.faults.set('/token', ({ form }, usual) =>
          form.get('client_id') === stale ? { status: 401, body: { error: 'invalid_client' } } : usual(),
        )
      } else {
        place.as.onCallback = (answer, { query }) => {
          if (query.get('client_id') !== stale) return
          answer.delete('code')
          answer.set('error', 'unauthorized_client')
        }
      }
      await connect(place, provider)
      expect(place.as.to('/register')).toHaveLength(2)
      expect(provider.opened).toHaveLength(3)
    },
  )

  it('[A1.13] that the authorization server forgot while a person was away is made anew for the next sign-in', async () => {
    const place = await world()
    const serverUrl = place.mcp.url
    let answer = new URLSearchParams()
    const provider = person(place, { signIn: async (url) => void (answer = await place.as.signIn(url)) })
    await auth(provider, { serverUrl })
    place.as.clients.clear()
    await refusalOf(auth(provider, { serverUrl, callback: answer }), 'token-refused')
    await auth(provider, { serverUrl })
    expect(await auth(provider, { serverUrl, callback: answer })).toBe('AUTHORIZED')
    expect(place.as.to('/register')).toHaveLength(2)
  })

  it('[A1.13] that the authorization server always forgets is made anew once, and then told', async () => {
    const place = await world()
    const provider = person(place)
    const client = await connect(place, provider)
    place.as.faults.set('/token', () => ({ status: 401, body: { error: 'invalid_client' } }))
    place.as.expireTokens()
    const error = await refusalOf(client.listTools(), 'token-refused')
    expect(error.oauthCode).toBe('invalid_client')
    expect(place.as.to('/register').length).toBeLessThanOrEqual(2)
    expect(place.as.tokenRequests.length).toBeLessThanOrEqual(4)
  })

  it('[A1.13] of people’s own that is refused is not replaced', async () => {
    const place = await world()
    place.as.clients.set('app', { redirectUris: [REDIRECT] })
    const provider = person(place, { clientInformation: { client_id: 'app', issuer: place.as.issuer } })
    place.as.faults.set('/token', () => ({ status: 401, body: { error: 'invalid_client' } }))
    const error = await refusalOf(auth(provider, { serverUrl: place.mcp.url }), 'token-refused')
    expect(error.oauthCode).toBe('invalid_client')
    expect(place.as.to('/register')).toEqual([])
    expect(place.as.tokenRequests).toHaveLength(1)
  })

  it('[A1.13] of people’s own in a provider of others is neither replaced nor thrown away', async () => {
    const place = await world()
    const own = { client_id: 'app', client_secret: 'canary-secret-of-app', issuer: place.as.issuer }
    const forgotten: string[] = []
    let saved = ''
    const provider: OAuthClientProvider = {
      redirectUrl: REDIRECT,
      clientMetadata: { redirect_uris: [REDIRECT] },
      clientInformation: () => own,
      saveClientInformation: (client) => void forgotten.push(`replaced by ${client.client_id}`),
      tokens: () => ({
        access_token: 'x',
        token_type: 'Bearer',
        refresh_token: 'y',
        issuer: place.as.issuer,
        resource: place.mcp.url,
      }),
      saveTokens: () => {},
      redirectToAuthorization: () => {},
      saveCodeVerifier: (verifier) => void (saved = verifier),
      codeVerifier: () => saved,
      invalidateCredentials: (what) => void forgotten.push(what),
    }
    const error = await refusalOf(auth(provider, { serverUrl: place.mcp.url }), 'token-refused')
    expect(error.oauthCode).toBe('invalid_client')
    expect(forgotten).toEqual([])
    expect(place.as.to('/register')).toEqual([])
  })

  it('[O7] [A1.13] is not tried where there is no place for it: people are told what to do', async () => {
    const place = await world()
    place.as.metadata = { registration_endpoint: undefined }
    const provider = person(place)
    const error = await refusalOf(auth(provider, { serverUrl: place.mcp.url }), 'no-client')
    expect(error.message).toContain(place.as.host)
    expect(provider.opened).toEqual([])
  })
})

describe('[A1.14] a client that is known by its own document', () => {
  const documentUrl = 'https://app.example/client.json'

  it('[O7] [A1.14] shows its address as id, registers nowhere and has no secret', async () => {
    const place = await world()
    place.as.metadata = { client_id_metadata_document_supported: true }
    const provider = person(place, { clientMetadataUrl: documentUrl })
    await connect(place, provider)
    expect(provider.opened[0]?.searchParams.get('client_id')).toBe(documentUrl)
    expect(place.as.to('/register')).toEqual([])
    expect(place.as.to('/token').map(({ headers, form }) => [headers.authorization, form.get('client_id')])).toEqual([
      [undefined, documentUrl],
    ])
  })

  it.each([undefined, false, 'true', 1, null])('[A1.14] registers where such documents are %j', async (supported) => {
    const place = await world()
    place.as.metadata = { client_id_metadata_document_supported: supported }
    const provider = person(place, { clientMetadataUrl: documentUrl })
    await connect(place, provider)
    expect(place.as.to('/register')).toHaveLength(1)
    expect(place.as.heard).not.toContain('app.example/client.json')
  })

  it('[A1.14] is known by its registration where people made one', async () => {
    const place = await world()
    place.as.metadata = { client_id_metadata_document_supported: true }
    place.as.clients.set('app', {})
    const provider = person(place, {
      clientMetadataUrl: documentUrl,
      clientInformation: { client_id: 'app', issuer: place.as.issuer },
    })
    await connect(place, provider)
    expect(provider.opened[0]?.searchParams.get('client_id')).toBe('app')
    expect(place.as.to('/register')).toEqual([])
  })

  it.each([
    'http://app.example/client.json',
    'http://localhost/client.json',
    'https://app.example',
    'https://app.example/',
  ])('[A1.14] %s is no such document: anybody could claim it', async (clientMetadataUrl) => {
    const place = await world()
    place.as.metadata = { client_id_metadata_document_supported: true }
    const provider = person(place, { clientMetadataUrl })
    await expect(auth(provider, { serverUrl: place.mcp.url })).rejects.toThrow(/clientMetadataUrl/)
    expect(provider.opened).toEqual([])
  })
})
