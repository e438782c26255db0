// Providers as the documentation of the AI SDK and of the official SDKs has them, against a real authorization server.
import type * as AiSdk from '@ai-sdk/mcp'
import * as V2 from '@modelcontextprotocol/client'
import * as V1 from '@modelcontextprotocol/sdk/client/auth-extensions.js'
import type * as V1Auth from '@modelcontextprotocol/sdk/client/auth.js'
import {
  auth,
  createMCPClient,
  HttpTransport,
  type OAuthClientInformation,
  type OAuthClientProvider,
  type OAuthTokens,
  oauthErrorOf,
} from '@switchboard/mcp/oauth'
import { signInAsPerson } from '@switchboard/testkit/oidc-person'
import { type OidcOptions, type OidcServers, startOidcServers } from '@switchboard/testkit/oidc-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { closing } from '../faults/scenario.ts'

const REDIRECT = 'http://127.0.0.1:8765/callback'
const VERIFIER = /^[\w~.-]{43,128}$/

/** What an application stores between two requests, as text: a new provider is made from it each time. */
type Store = Map<string, string>

const read = (store: Store, name: string) => JSON.parse(store.get(name) ?? 'null') ?? undefined
const write = (store: Store, name: string, value: unknown) => void store.set(name, JSON.stringify(value))

/** The part that the three libraries share. */
class Shared {
  readonly redirectUrl = REDIRECT
  readonly clientMetadata = { client_name: 'An application', redirect_uris: [REDIRECT] }
  readonly store: Store
  constructor(store: Store = new Map()) {
    this.store = store
  }
  tokens = () => read(this.store, 'tokens')
  saveTokens(tokens: unknown): void {
    write(this.store, 'tokens', tokens)
  }
  clientInformation = () => read(this.store, 'client')
  saveClientInformation(client: unknown): void {
    write(this.store, 'client', client)
  }
  redirectToAuthorization(url: URL): void {
    write(this.store, 'sentTo', url.href)
  }
  saveCodeVerifier(verifier: string): void {
    write(this.store, 'verifier', verifier)
  }
  codeVerifier(): string {
    const verifier = read(this.store, 'verifier')
    if (!verifier) throw new Error('No code verifier saved')
    return verifier
  }
  invalidateCredentials(scope: string): void {
    for (const [name, part] of Object.entries({ tokens: 'tokens', client: 'client', verifier: 'verifier' }))
      if (scope === 'all' || scope === name) this.store.delete(part)
  }
  sentTo = () => read(this.store, 'sentTo') as string
  state(): string {
    const state = crypto.randomUUID()
    write(this.store, 'ownState', state)
    return state
  }
}

/** Keeps and compares the state, and pins the authorization server. */
class AiSdkProvider extends Shared implements AiSdk.OAuthClientProvider {
  saveState(state: string): void {
    write(this.store, 'state', state)
  }
  storedState = () => read(this.store, 'state')
  authorizationServerInformation = () => read(this.store, 'server')
  saveAuthorizationServerInformation(information: AiSdk.OAuthAuthorizationServerInformation): void {
    write(this.store, 'server', information)
  }
}

/** The application compares the state itself, as the examples of the SDK do. */
class OfficialV1 extends Shared implements V1Auth.OAuthClientProvider {}

/** Keeps what was discovered, for the callback. */
class OfficialV2 extends Shared implements V2.OAuthClientProvider {
  discoveryState = () => read(this.store, 'discovery')
  saveDiscoveryState(state: V2.OAuthDiscoveryState): void {
    write(this.store, 'discovery', state)
  }
}

/** A database with the columns of RFC 6749 and RFC 7591 and no others. */
class Columns extends OfficialV1 {
  override saveTokens({ access_token, token_type, refresh_token, expires_in, scope }: OAuthTokens): void {
    super.saveTokens({ access_token, token_type, refresh_token, expires_in, scope })
  }
  override saveClientInformation({ issuer: _issuer, ...client }: OAuthClientInformation): void {
    super.saveClientInformation(client)
  }
}

async function servers(options: OidcOptions = {}): Promise<OidcServers> {
  const started = await startOidcServers(options)
  onTestFinished(() => started.close())
  return started
}

async function connect({ mcpUrl }: OidcServers, authProvider: OAuthClientProvider) {
  return closing(await createMCPClient({ transport: { type: 'http', url: mcpUrl, authProvider } }))
}

async function whoami(at: OidcServers, provider: OAuthClientProvider): Promise<unknown> {
  const client = await connect(at, provider)
  return (await client.callTool({ name: 'whoami' })).content
}

const SIGNED_IN = [{ type: 'text', text: 'somebody who is signed in' }]

/** Sends a person, who signs in; the query they come back with. */
async function visit(at: OidcServers, provider: OAuthClientProvider & Shared): Promise<URLSearchParams> {
  const refused = await connect(at, provider).catch((error: unknown) => error)
  expect(oauthErrorOf(refused)?.fault).toBe('sign-in-needed')
  expect(read(provider.store, 'verifier')).toMatch(VERIFIER)
  return signInAsPerson(provider.sentTo(), REDIRECT)
}

type Ending = (at: OidcServers, provider: OAuthClientProvider, answer: URLSearchParams) => Promise<unknown>
const code = (answer: URLSearchParams) => answer.get('code') ?? ''

/** How each documentation ends a sign-in. */
const ENDINGS: Record<string, [new (store?: Store) => OAuthClientProvider & Shared, Ending]> = {
  'the AI SDK, auth() with code, state and issuer': [
    AiSdkProvider,
    ({ mcpUrl: serverUrl }, provider, answer) =>
      auth(provider, {
        serverUrl,
        authorizationCode: code(answer),
        callbackState: answer.get('state') ?? undefined,
        callbackIssuer: answer.get('iss') ?? undefined,
      }),
  ],
  'the official SDK 1.x, finishAuth(code)': [
    OfficialV1,
    ({ mcpUrl: url }, authProvider, answer) => new HttpTransport({ url, authProvider }).finishAuth(code(answer)),
  ],
  'the official SDK 1.x, auth() with the code alone': [
    OfficialV1,
    ({ mcpUrl: serverUrl }, provider, answer) => auth(provider, { serverUrl, authorizationCode: code(answer) }),
  ],
  'the official SDK 2.x, finishAuth(query)': [
    OfficialV2,
    ({ mcpUrl: url }, authProvider, answer) => new HttpTransport({ url, authProvider }).finishAuth(answer),
  ],
  'the official SDK 2.x, auth() with code and iss': [
    OfficialV2,
    ({ mcpUrl: serverUrl }, provider, answer) =>
      auth(provider, { serverUrl, authorizationCode: code(answer), iss: answer.get('iss') ?? undefined }),
  ],
  'a database with the standard columns only': [
    Columns,
    ({ mcpUrl: url }, authProvider, answer) => new HttpTransport({ url, authProvider }).finishAuth(code(answer)),
  ],
}

describe.each(Object.entries(ENDINGS))('a provider written for %s', (_, [Provider, end]) => {
  it('[O2] signs in, refreshes and signs in again with one provider object', async () => {
    const at = await servers()
    const provider = new Provider()
    await end(at, provider, await visit(at, provider))
    expect(await whoami(at, provider)).toEqual(SIGNED_IN)
    at.expireAccessTokens()
    expect(await whoami(at, provider)).toEqual(SIGNED_IN)
    expect(at.grants.map(({ type }) => type)).toEqual(['authorization_code', 'refresh_token'])
    at.revokeAll()
    await end(at, provider, await visit(at, provider))
    expect(await whoami(at, provider)).toEqual(SIGNED_IN)
    expect(at.asked.filter(({ path }) => path === '/reg')).toHaveLength(1)
  })

  it('[O2] ends the sign-in in another process, from what the provider stored', async () => {
    const at = await servers()
    const store: Store = new Map()
    const answer = await visit(at, new Provider(store))
    await end(at, new Provider(store), answer)
    expect(await whoami(at, new Provider(store))).toEqual(SIGNED_IN)
  })

  it('[O2] [O18] signs in to a server without resource metadata', async () => {
    const at = await servers({ sameOrigin: true })
    const provider = new Provider()
    await end(at, provider, await visit(at, provider))
    expect(await whoami(at, provider)).toEqual(SIGNED_IN)
  })

  it('[O2] [O13] uses a verifier once', async () => {
    const at = await servers()
    const provider = new Provider()
    const answer = await visit(at, provider)
    await end(at, provider, answer)
    await expect(end(at, provider, answer)).rejects.toThrow()
    expect(at.grants).toHaveLength(1)
  })
})

it.each([AiSdkProvider, OfficialV2])(
  '[O2] [O9] %o refreshes in another process: the issuer is recorded',
  async (Provider) => {
    const at = await servers()
    const store: Store = new Map()
    const provider = new Provider(store)
    const [, end] = Object.values(ENDINGS).find(([one]) => one === Provider)!
    await end(at, provider, await visit(at, provider))
    at.expireAccessTokens()
    expect(await whoami(at, new Provider(store))).toEqual(SIGNED_IN)
    expect(at.grants.map(({ type }) => type)).toEqual(['authorization_code', 'refresh_token'])
  },
)

it('[O2] a provider that stores its state refuses an answer with another state or none', async () => {
  const at = await servers()
  for (const callbackState of ['other', undefined]) {
    const store: Store = new Map()
    const answer = await visit(at, new AiSdkProvider(store))
    const ending = auth(new AiSdkProvider(store), {
      serverUrl: at.mcpUrl,
      authorizationCode: code(answer),
      callbackState,
      callbackIssuer: answer.get('iss') ?? undefined,
    })
    expect(oauthErrorOf(await ending.catch((error: unknown) => error))?.fault).toBe('foreign-answer')
  }
  expect(at.grants).toEqual([])
})

it('[O2] [O11] a code goes to no other authorization server than the recorded one', async () => {
  const [at, other] = [await servers(), await servers()]
  for (const [Provider, end] of Object.values(ENDINGS).filter(([one]) => one !== Columns && one !== OfficialV2)) {
    const store: Store = new Map()
    const answer = await visit(at, new Provider(store))
    answer.delete('iss')
    at.handOver(other)
    await expect(end(at, new Provider(store), answer)).rejects.toThrow()
    at.handOver(at)
  }
  expect(other.grants).toEqual([])
})

it('[O2] validateAuthorizationServerURL gets the server as it was given, and the authorization server as a string', async () => {
  const at = await servers()
  const given: unknown[] = []
  const provider: AiSdk.OAuthClientProvider & Shared = new AiSdkProvider()
  provider.validateAuthorizationServerURL = (...args) => void given.push(args)
  expect(await auth(provider, { serverUrl: at.mcpUrl })).toBe('REDIRECT')
  expect(given).toEqual([[at.mcpUrl, at.issuer]])
})

it('[O2] prepareTokenRequest is asked for the code, once a person has come back', async () => {
  const at = await servers()
  const asked: string[] = []
  class Own extends OfficialV1 {
    authorizationCode = ''
    async prepareTokenRequest(): Promise<URLSearchParams> {
      asked.push(this.authorizationCode)
      return new URLSearchParams({
        grant_type: 'authorization_code',
        code: this.authorizationCode,
        code_verifier: this.codeVerifier(),
        redirect_uri: this.redirectUrl,
      })
    }
    override invalidateCredentials(): void {}
  }
  const provider = new Own()
  const answer = await visit(at, provider)
  expect(asked).toEqual([])
  provider.authorizationCode = code(answer)
  await new HttpTransport({ url: at.mcpUrl, authProvider: provider }).finishAuth(code(answer))
  expect(asked).toEqual([code(answer)])
  expect(await whoami(at, provider)).toEqual(SIGNED_IN)
})

it('[O2] discoveryState given from outside is used without asking the server', async () => {
  const at = await servers()
  const store: Store = new Map()
  write(store, 'discovery', {
    authorizationServerUrl: at.issuer,
    resourceMetadata: { resource: at.mcpUrl, authorization_servers: [at.issuer], scopes_supported: ['notes'] },
  })
  const provider = new OfficialV2(store)
  const answer = await visit(at, provider)
  await new HttpTransport({ url: at.mcpUrl, authProvider: provider }).finishAuth(answer)
  expect(await whoami(at, provider)).toEqual(SIGNED_IN)
  expect(at.called.map(({ path }) => path).filter((path) => path.includes('well-known'))).toEqual([])
})

it('[O2] saveAuthorizationServerUrl and saveResourceUrl are told what was discovered', async () => {
  const at = await servers()
  const told: Record<string, string> = {}
  class Told extends OfficialV2 {
    saveAuthorizationServerUrl = (url: string) => void (told['server'] = url)
    saveResourceUrl = (url: string) => void (told['resource'] = url)
  }
  await auth(new Told(), { serverUrl: at.mcpUrl })
  expect(told).toEqual({ server: at.issuer, resource: at.mcpUrl })
})

describe.each([
  ['1.x', V1],
  ['2.x', V2],
])('the ready-made providers of the official SDK %s', (_, library) => {
  const machine = { redirect_uris: [], response_types: [], grant_types: ['client_credentials'] }

  it('[O2] [O15] get a token with a client secret', async () => {
    const at = await servers({ clients: [{ ...machine, client_id: 'machine', client_secret: 'secret-of-machine' }] })
    const provider = new library.ClientCredentialsProvider({
      clientId: 'machine',
      clientSecret: 'secret-of-machine',
      scope: 'notes',
      expectedIssuer: at.issuer,
    })
    expect(await whoami(at, provider)).toEqual(SIGNED_IN)
  })

  it('[O2] [O15] get a token with a private key', async () => {
    const { publicKey, privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
      'sign',
      'verify',
    ])
    const jwk = async (key: CryptoKey) => ({ ...(await crypto.subtle.exportKey('jwk', key)), alg: 'ES256', kid: 'one' })
    const at = await servers({
      clients: [
        {
          ...machine,
          client_id: 'machine',
          token_endpoint_auth_method: 'private_key_jwt',
          jwks: { keys: [await jwk(publicKey)] },
        },
      ],
    })
    const provider = new library.PrivateKeyJwtProvider({
      clientId: 'machine',
      privateKey: { ...(await jwk(privateKey)) },
      algorithm: 'ES256',
      scope: 'notes',
      expectedIssuer: at.issuer,
    })
    expect(await whoami(at, provider)).toEqual(SIGNED_IN)
  })
})
