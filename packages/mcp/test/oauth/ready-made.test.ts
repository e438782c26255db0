import { createPublicKey, generateKeyPairSync, type KeyObject, webcrypto } from 'node:crypto'
import {
  auth,
  ClientCredentialsProvider,
  createDPoP,
  EnterpriseProvider,
  JwtBearerProvider,
  PrivateKeyJwtProvider,
  type SigningAlgorithm,
  signOut,
} from '@switchboard/mcp/oauth'
import { readJwt, verifyJwt } from '@switchboard/testkit/authorization-server'
import { describe, expect, it } from 'vitest'
import { connect, person, refusalOf, skipTime, startHouse, world } from './scenario.ts'

const call = { name: 'echo', arguments: { mark: 'once' } }
const done = { content: [{ text: 'once' }] }
const SECRET = 'canary-secret-of-machine'

describe('a person who signs in', () => {
  it.each(['sessions', 'stateless', 'both'] as const)(
    '[O10] [1.5] once makes the call go on by itself, with %s',
    async (era) => {
      const place = await world({}, { era })
      const provider = person(place)
      const client = await connect(place, provider)
      expect(await client.callTool(call)).toMatchObject(done)
      expect(provider.opened).toHaveLength(1)
      expect(place.as.tokenRequests).toHaveLength(1)
      expect(place.mcp.ledger.executions).toHaveLength(1)
    },
  )

  it('[1.5] is asked once, however many clients and calls wait', async () => {
    const place = await world()
    const provider = person(place)
    const clients = await Promise.all([1, 2, 3].map(() => connect(place, provider)))
    await Promise.all(clients.map((client) => client.callTool(call)))
    expect(provider.opened).toHaveLength(1)
    expect(place.as.to('/register')).toHaveLength(1)
  })

  it('[1.5] may take longer than a call may', async () => {
    const place = await world()
    const provider = person(place, {
      signIn: async (url) => {
        await new Promise((resolve) => setTimeout(resolve, 1500))
        return place.as.signIn(url)
      },
    })
    const client = await connect(place, provider, {}, { requestOptions: { timeout: 900, maxTotalTimeout: 9000 } })
    expect(provider.opened).toHaveLength(1)
    place.as.revokeAll()
    expect(await client.callTool({ ...call, options: { timeout: 900 } })).toMatchObject(done)
  })

  it('[1.5] too late for a call that was given up leaves the next one a token', async () => {
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
    const abort = new AbortController()
    const given = client.callTool({ ...call, options: { signal: abort.signal } })
    await expect.poll(() => provider.opened.length).toBe(2)
    const reason = new Error('given up')
    abort.abort(reason)
    await expect(given).rejects.toBe(reason)
    back()
    expect(await client.callTool(call)).toMatchObject(done)
    expect(provider.opened).toHaveLength(2)
    expect(place.mcp.ledger.executions).toHaveLength(1)
  })

  it('[1.5] and signs out has no tokens left, here and there', async () => {
    const place = await world()
    place.as.metadata = { revocation_endpoint: `${place.as.origin}/revoke` }
    const provider = person(place)
    const client = await connect(place, provider)
    const [token = ''] = place.as.tokens.keys()
    await signOut(provider, { serverUrl: place.mcp.url })
    expect(await provider.tokens()).toBeUndefined()
    expect(place.as.inspect(token)).toBeUndefined()
    await client.callTool(call)
    expect(provider.opened).toHaveLength(2)
  })

  it('[1.5] and signs out while nobody can be told has no tokens left here, and knows', async () => {
    const place = await world()
    place.as.metadata = { revocation_endpoint: `${place.as.origin}/revoke` }
    const provider = person(place)
    await connect(place, provider)
    place.as.faults.set('/revoke', () => 'drop')
    await refusalOf(signOut(provider, { serverUrl: place.mcp.url }), 'network')
    expect(await provider.tokens()).toBeUndefined()
  })
})

describe('a program with a secret', () => {
  it.each(['client_secret_basic', 'client_secret_post'] as const)('[O15] [1.5] shows it by %s', async (method) => {
    const place = await world()
    place.as.clients.set('machine', { secret: SECRET })
    place.as.metadata = { token_endpoint_auth_methods_supported: [method] }
    const provider = new ClientCredentialsProvider({
      serverUrl: place.mcp.url,
      clientId: 'machine',
      clientSecret: SECRET,
      scope: 'a b',
    })
    const client = await connect(place, provider)
    expect(await client.callTool(call)).toMatchObject(done)
    const [asked] = place.as.to('/token')
    expect(asked?.form.get('grant_type')).toBe('client_credentials')
    expect(asked?.form.get('resource')).toBe(place.mcp.url)
    expect(asked?.form.get('scope')).toBe('a b')
    expect(asked?.headers.authorization?.startsWith('Basic ') ?? false).toBe(method === 'client_secret_basic')
    expect(asked?.form.has('client_secret')).toBe(method === 'client_secret_post')
    expect(place.as.to('/register')).toEqual([])
  })

  it('[1.5] gets a new token when the old one ends, one for all calls', async () => {
    const place = await world()
    place.as.clients.set('machine', { secret: SECRET })
    const provider = new ClientCredentialsProvider({
      serverUrl: place.mcp.url,
      clientId: 'machine',
      clientSecret: SECRET,
    })
    const client = await connect(place, provider)
    place.as.expireTokens()
    await Promise.all([1, 2, 3].map(() => client.callTool(call)))
    expect(place.as.tokenRequests).toHaveLength(2)
  })

  it('[R-15] gets more rights where the server wants them, without anybody’s help', async () => {
    const place = await world({
      challenge: ({ scope, error }) => `Bearer scope="${scope ?? 'a'}", error="${error ?? ''}"`,
    })
    place.as.clients.set('machine', { secret: SECRET })
    const provider = new ClientCredentialsProvider({
      serverUrl: place.mcp.url,
      clientId: 'machine',
      clientSecret: SECRET,
    })
    const client = await connect(place, provider)
    place.protection.scopeOf = ({ method }) => (method === 'tools/call' ? 'b' : undefined)
    expect(await client.callTool(call)).toMatchObject(done)
    expect(place.as.tokenRequests.map((form) => form.get('scope'))).toEqual(['a', 'a b'])
  })

  it('[1.5] that is wrong is told once, without the secret', async () => {
    const place = await world()
    place.as.clients.set('machine', { secret: 'another' })
    const provider = new ClientCredentialsProvider({
      serverUrl: place.mcp.url,
      clientId: 'machine',
      clientSecret: SECRET,
    })
    const error = await refusalOf(connect(place, provider), 'token-refused')
    expect(error.oauthCode).toBe('invalid_client')
    expect(place.as.tokenRequests).toHaveLength(1)
  })
})

const ALGORITHMS: Record<SigningAlgorithm, () => { privateKey: KeyObject; publicKey: KeyObject }> = {
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  RS384: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  RS512: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  ES512: () => generateKeyPairSync('ec', { namedCurve: 'P-521' }),
}
const CURVES: Record<string, string> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }

describe('a program with a key', () => {
  const forms = {
    PEM: (key: KeyObject) => key.export({ format: 'pem', type: 'pkcs8' }).toString(),
    JWK: (key: KeyObject) => key.export({ format: 'jwk' }) as JsonWebKey,
    'JWK with all its fields': (key: KeyObject, alg: string) =>
      ({ ...key.export({ format: 'jwk' }), alg, use: 'sig', key_ops: ['sign'] }) as JsonWebKey,
    CryptoKey: (key: KeyObject, alg: string) =>
      webcrypto.subtle.importKey(
        'pkcs8',
        key.export({ format: 'der', type: 'pkcs8' }),
        CURVES[alg]
          ? { name: 'ECDSA', namedCurve: CURVES[alg] }
          : { name: 'RSASSA-PKCS1-v1_5', hash: `SHA-${alg.slice(2)}` },
        false,
        ['sign'],
      ) as Promise<CryptoKey>,
  }
  const rows = Object.keys(ALGORITHMS).flatMap((name) => Object.keys(forms).map((form) => [name, form] as const))

  it.each(rows)('[O15] [1.5] signs with %s, given as %s', async (name, form) => {
    const algorithm = name as SigningAlgorithm
    const { privateKey, publicKey } = ALGORITHMS[algorithm]()
    const place = await world()
    place.as.metadata = { token_endpoint_auth_methods_supported: ['private_key_jwt'] }
    place.as.clients.set('machine', { publicKey: createPublicKey(publicKey.export({ format: 'pem', type: 'spki' })) })
    const provider = new PrivateKeyJwtProvider({
      serverUrl: place.mcp.url,
      clientId: 'machine',
      privateKey: await forms[form as keyof typeof forms](privateKey, algorithm),
      algorithm,
      keyId: 'k1',
    })
    await connect(place, provider)
    const [asked] = place.as.to('/token')
    const jwt = verifyJwt(asked?.form.get('client_assertion') ?? '', publicKey)
    expect(jwt?.header).toMatchObject({ alg: algorithm, kid: 'k1' })
    expect(jwt?.claims).toMatchObject({ iss: 'machine', sub: 'machine', aud: place.as.issuer })
    expect(asked?.form.get('client_assertion_type')).toBe('urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
    expect(asked?.form.has('client_secret')).toBe(false)
  })

  it.each([
    ['no key', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----', 'ES256'],
    ['another kind of key', undefined, 'RS256'],
    ['a key of an older form', '-----BEGIN RSA PRIVATE KEY-----\ncanary\n-----END RSA PRIVATE KEY-----', 'RS256'],
    ['no algorithm', undefined, undefined],
    ['an algorithm without a signature', undefined, 'none'],
  ])('[1.5] %s is told in words, without the key', async (_, pem, algorithm) => {
    const place = await world()
    const { privateKey } = ALGORITHMS.ES256()
    const text = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
    const provider = new PrivateKeyJwtProvider({
      serverUrl: place.mcp.url,
      clientId: 'machine',
      privateKey: pem ?? text,
      ...(algorithm && { algorithm: algorithm as SigningAlgorithm }),
    })
    const error = await auth(provider, { serverUrl: place.mcp.url }).catch((thrown: unknown) => thrown as Error)
    expect(error).toBeInstanceOf(Error)
    expect(String((error as Error).stack)).toMatch(/privateKey|algorithm/)
    expect(String((error as Error).stack)).not.toContain(text.split('\n')[1])
    expect(String((error as Error).stack)).not.toContain('canary')
    expect(place.as.tokenRequests).toEqual([])
  })
})

describe('a program with a statement of somebody else', () => {
  it('[O15] [1.5] gives it for a token, and makes a new one for the next', async () => {
    const place = await world()
    const audiences: unknown[] = []
    place.as.clients.set('workload', {})
    place.as.trusts = (assertion) => assertion.startsWith('canary-statement-')
    const provider = new JwtBearerProvider({
      serverUrl: place.mcp.url,
      clientId: 'workload',
      assertion: ({ issuer, resource }) => {
        audiences.push([issuer, resource])
        return `canary-statement-${audiences.length}`
      },
    })
    const client = await connect(place, provider)
    place.as.expireTokens()
    expect(await client.callTool(call)).toMatchObject(done)
    expect(place.as.tokenRequests.map((form) => [form.get('grant_type'), form.get('assertion')])).toEqual([
      ['urn:ietf:params:oauth:grant-type:jwt-bearer', 'canary-statement-1'],
      ['urn:ietf:params:oauth:grant-type:jwt-bearer', 'canary-statement-2'],
    ])
    expect(audiences).toEqual([
      [place.as.issuer, place.mcp.url],
      [place.as.issuer, place.mcp.url],
    ])
  })

  it('[1.5] that is not believed is told once, without the statement', async () => {
    const place = await world()
    place.as.clients.set('workload', {})
    const provider = new JwtBearerProvider({
      serverUrl: place.mcp.url,
      clientId: 'workload',
      assertion: () => 'canary-statement',
    })
    const error = await refusalOf(connect(place, provider), 'token-refused')
    expect(error.oauthCode).toBe('invalid_grant')
    expect(place.as.tokenRequests).toHaveLength(1)
  })
})

describe('a house that manages sign-in for its people', () => {
  const TYPE = 'urn:ietf:params:oauth:token-type:'

  async function enterprise(how: 'issuer' | 'tokenEndpoint') {
    const place = await world()
    const idp = await startHouse((house) => (house.metadataPaths = ['/.well-known/openid-configuration']))
    idp.faults.set('/token', () => ({
      body: { access_token: 'canary-id-jag', issued_token_type: `${TYPE}id-jag`, token_type: 'N_A' },
    }))
    place.as.clients.set('app', { secret: SECRET })
    place.as.trusts = (assertion) => assertion === 'canary-id-jag'
    const provider = new EnterpriseProvider({
      serverUrl: place.mcp.url,
      clientId: 'app',
      clientSecret: SECRET,
      idp: {
        clientId: 'app-at-idp',
        ...(how === 'issuer' ? { issuer: idp.origin } : { tokenEndpoint: `${idp.origin}/token` }),
      },
      idToken: () => 'canary-id-token',
    })
    return { ...place, place, idp, provider }
  }

  it.each(['issuer', 'tokenEndpoint'] as const)('[O15] [1.5] says who they are, found by its %s', async (how) => {
    const { place, idp, as, mcp, provider } = await enterprise(how)
    const client = await connect(place, provider)
    expect(await client.callTool(call)).toMatchObject(done)
    expect(Object.fromEntries(idp.tokenRequests[0] ?? [])).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      requested_token_type: `${TYPE}id-jag`,
      subject_token: 'canary-id-token',
      subject_token_type: `${TYPE}id_token`,
      audience: as.issuer,
      resource: mcp.url,
      client_id: 'app-at-idp',
    })
    expect(as.tokenRequests.map((form) => form.get('assertion'))).toEqual(['canary-id-jag'])
    expect(as.heard).not.toContain('canary-id-token')
    expect(idp.heard).not.toContain(SECRET)
  })

  it.each([
    ['says no', { status: 400, body: { error: 'access_denied', error_description: 'canary' } }, 'access_denied'],
    ['gives something else', { body: { access_token: 'canary', issued_token_type: `${TYPE}access_token` } }, undefined],
    ['gives nothing', { body: {} }, undefined],
    ['gives a page', { body: '<html>canary</html>' }, undefined],
    ['gives a number', { body: { access_token: 7, issued_token_type: `${TYPE}id-jag` } }, undefined],
  ])('[1.5] that %s brings no token request', async (_, answer, code) => {
    const { place, idp, as, provider } = await enterprise('issuer')
    idp.faults.set('/token', () => answer)
    const error = await refusalOf(connect(place, provider), ['token-refused', 'bad-document'])
    expect(error.message).toContain(idp.host)
    if (code) expect(error.oauthCode).toBe(code)
    expect(as.tokenRequests).toEqual([])
    expect(idp.tokenRequests).toHaveLength(1)
  })

  it('[A1.7] that redirects sees its ID token go nowhere else', async () => {
    const { place, idp, as, provider } = await enterprise('tokenEndpoint')
    idp.faults.set('/token', () => ({ status: 307, headers: { location: `${as.origin}/token` } }))
    await refusalOf(connect(place, provider), 'redirect')
    expect(as.heard).not.toContain('canary-id-token')
    expect(as.tokenRequests).toEqual([])
  })
})

describe('a token that is bound to a key', () => {
  it('[O15] [1.5] is asked for with a proof and sent with one, each used once', async () => {
    const place = await world()
    const provider = person(place, { dpop: createDPoP() })
    const client = await connect(place, provider)
    expect(await client.callTool(call)).toMatchObject(done)
    const signed = place.mcp.ledger.entries.filter(({ headers }) => headers['authorization'])
    expect(signed.length).toBeGreaterThanOrEqual(2)
    for (const { headers } of signed) expect(headers['authorization']).toMatch(/^DPoP /)
    const proofs = signed.map(({ headers }) => readJwt(String(headers['dpop']))?.claims['jti'])
    expect(new Set(proofs).size).toBe(proofs.length)
    expect([...place.as.tokens.values()][0]?.thumbprint).toBeDefined()
    expect(JSON.stringify(signed.map(({ headers }) => readJwt(String(headers['dpop']))))).not.toContain('"d":')
  })

  it('[1.5] with nonces of both servers costs one more request at each, and no second sign-in', async () => {
    const place = await world({ nonce: 'nonce-of-server' })
    place.as.nonce = 'nonce-of-house'
    const provider = person(place, { dpop: createDPoP() })
    const client = await connect(place, provider)
    await client.callTool(call)
    await client.callTool(call)
    expect(provider.opened).toHaveLength(1)
    expect(place.as.tokenRequests).toHaveLength(2)
    expect(place.mcp.ledger.count('tools/call')).toBe(2)
    place.protection.nonce = 'another-nonce'
    await client.callTool(call)
    expect(place.mcp.ledger.count('tools/call')).toBe(4)
    expect(provider.opened).toHaveLength(1)
    expect(place.mcp.ledger.executions).toHaveLength(3)
  })

  it('[1.5] is refreshed with the same key', async () => {
    const time = skipTime()
    const place = await world()
    const provider = person(place, { dpop: createDPoP() })
    const client = await connect(place, provider)
    time.by(3_590_000)
    await client.callTool(call)
    const thumbprints = [...place.as.tokens.values()].map(({ thumbprint }) => thumbprint)
    expect(thumbprints).toHaveLength(2)
    expect(new Set(thumbprints).size).toBe(1)
    expect(provider.opened).toHaveLength(1)
  })

  it('[1.5] a nonce that is never right is an error after one more try each, not a loop', async () => {
    const place = await world()
    let nth = 0
    place.as.faults.set('/token', () => ({
      status: 400,
      body: { error: 'use_dpop_nonce' },
      headers: { 'dpop-nonce': `n${++nth}` },
    }))
    const error = await refusalOf(connect(place, person(place, { dpop: createDPoP() })), 'token-refused')
    expect(error.oauthCode).toBe('use_dpop_nonce')
    expect(place.as.tokenRequests).toHaveLength(2)
  })

  it('[1.5] a server that never likes a nonce is an error after one more try, not a loop', async () => {
    const place = await world()
    const provider = person(place, { dpop: createDPoP() })
    const client = await connect(place, provider)
    place.protection.onRequest = (exchange) =>
      exchange.json({}, 401, {
        'www-authenticate': 'DPoP error="use_dpop_nonce"',
        'dpop-nonce': `n${exchange.nth}`,
      })
    await expect(client.callTool(call)).rejects.toMatchObject({ reason: 'unauthorized' })
    expect(place.mcp.ledger.count('tools/call')).toBeLessThanOrEqual(3)
    expect(provider.opened.length).toBeLessThanOrEqual(2)
  })
})
