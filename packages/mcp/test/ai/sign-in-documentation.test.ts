// What the documentation of the AI SDK says of providers for OAuth, with our import in the place of its own.
import {
  auth,
  AuthorizationServerMismatchError,
  createMCPClient,
  MCPClientOAuthError,
  type OAuthClientInformation,
  type OAuthClientProvider,
  type OAuthTokens,
} from '@switchboard/mcp/oauth'
import { describe, expect, it } from 'vitest'
import { closing } from '../faults/scenario.ts'
import { REDIRECT, type World, world } from '../oauth/scenario.ts'

interface Kept {
  tokens?: OAuthTokens | undefined
  client?: OAuthClientInformation | undefined
  dynamicallyRegistered?: boolean
  verifier?: string
  state?: string | undefined
  sentTo?: URL
}

/** A provider written against the documentation; `more` is what a section of it adds. */
function myProvider(kept: Kept, more: Partial<OAuthClientProvider> = {}): OAuthClientProvider {
  return {
    redirectUrl: REDIRECT,
    clientMetadata: { redirect_uris: [REDIRECT], client_name: 'An application', token_endpoint_auth_method: 'none' },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (url) => void (kept.sentTo = url),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
    state: () => crypto.randomUUID(),
    saveState: (state) => void (kept.state = state),
    storedState: () => kept.state,
    ...more,
  }
}

const connect = ({ mcp }: World, authProvider: OAuthClientProvider) =>
  createMCPClient({ transport: { type: 'http', url: mcp.url, authProvider } })

/** Sends a person, and ends the flow as the documentation does on the page that they come back to. */
async function signIn({ mcp, as }: World, provider: OAuthClientProvider, kept: Kept): Promise<string> {
  await connect({ mcp, as } as World, provider).catch(() => {})
  const callbackUrl = new URL(`${REDIRECT}?${await as.signIn(kept.sentTo!)}`)
  return auth(provider, {
    serverUrl: mcp.url,
    authorizationCode: callbackUrl.searchParams.get('code')!,
    callbackState: callbackUrl.searchParams.get('state') ?? undefined,
    callbackIssuer: callbackUrl.searchParams.get('iss') ?? undefined,
  })
}

describe('a provider for OAuth, as documented', () => {
  it('[D22] a callback is ended with its code, its state and its issuer', async () => {
    const place = await world()
    const kept: Kept = {}
    const provider = myProvider(kept)
    expect(await signIn(place, provider, kept)).toBe('AUTHORIZED')
    const mcpClient = closing(await connect(place, provider))
    expect(Object.keys(await mcpClient.tools())).toEqual(['echo'])
  })

  it('[D22] the issuer of a callback has to be the one that was found', async () => {
    const place = await world()
    const kept: Kept = {}
    const provider = myProvider(kept)
    await connect(place, provider).catch(() => {})
    const answer = await place.as.signIn(kept.sentTo!)
    const ended = auth(provider, {
      serverUrl: place.mcp.url,
      authorizationCode: answer.get('code')!,
      callbackState: answer.get('state') ?? undefined,
      callbackIssuer: 'https://elsewhere.example',
    })
    await expect(ended).rejects.toBeInstanceOf(MCPClientOAuthError)
    expect(place.as.tokenRequests).toEqual([])
  })

  it('[D22] a client of people’s own says where it is registered, and goes nowhere else', async () => {
    const place = await world()
    place.as.clients.set('app', { secret: 'canary-secret-of-app', redirectUris: [REDIRECT] })
    const information = (issuer: string) => ({
      clientInformation: () => ({ client_id: 'app', client_secret: 'canary-secret-of-app', issuer }),
    })
    const kept: Kept = {}
    expect(await signIn(place, myProvider(kept, information(place.as.issuer)), kept)).toBe('AUTHORIZED')

    const other: Kept = {}
    const refused = await connect(place, myProvider(other, information('https://accounts.example'))).catch(
      (error: unknown) => (error as Error).cause,
    )
    expect(refused).toBeInstanceOf(AuthorizationServerMismatchError)
    expect(other.sentTo).toBeUndefined()
  })

  it('[D22] authorization servers can be limited to a list, before anything is asked of them', async () => {
    const place = await world()
    const allowed = new Set<string>(['https://accounts.example'])
    const asked: string[] = []
    const kept: Kept = {}
    const provider = myProvider(kept, {
      validateAuthorizationServerURL(serverUrl, authorizationServerUrl) {
        const { origin } = new URL(authorizationServerUrl)
        asked.push(`${new URL(serverUrl).href} ${origin}`)
        if (!allowed.has(origin)) throw new Error(`Unexpected OAuth authorization server for ${serverUrl}: ${origin}`)
      },
    })
    await expect(connect(place, provider)).rejects.toMatchObject({ reason: 'unauthorized' })
    expect(asked).toEqual([`${place.mcp.url} ${place.as.origin}`])
    expect(place.as.requests).toEqual([])
    allowed.add(place.as.origin)
    expect(await signIn(place, provider, kept)).toBe('AUTHORIZED')
  })

  it('[D22] a registration that came by itself is replaced when it is forgotten', async () => {
    const place = await world()
    const kept: Kept = {}
    const provider = myProvider(kept, {
      async saveClientInformation(client) {
        Object.assign(kept, { client, dynamicallyRegistered: true })
      },
      async isClientInformationDynamicallyRegistered() {
        return kept.dynamicallyRegistered === true
      },
      invalidateCredentials(scope) {
        if (scope === 'all' || scope === 'client') kept.client = undefined
        if (scope === 'all' || scope === 'tokens') kept.tokens = undefined
      },
    })
    expect(await signIn(place, provider, kept)).toBe('AUTHORIZED')
    const first = kept.client?.client_id
    place.as.clients.clear()
    place.as.expireTokens()
    expect(await signIn(place, provider, kept)).toBe('AUTHORIZED')
    expect(kept.client?.client_id).not.toBe(first)
  })

  it('[D22] tokens that a refresh was refused for are named, so that newer ones stay', async () => {
    const place = await world()
    const kept: Kept = {}
    const named: (string | undefined)[] = []
    const provider = myProvider(kept, {
      invalidateCredentials(scope, context) {
        if (scope !== 'tokens') return
        named.push(context?.tokens.refresh_token)
        const same = kept.tokens?.refresh_token === context?.tokens.refresh_token
        if (same) kept.tokens = undefined
      },
    })
    expect(await signIn(place, provider, kept)).toBe('AUTHORIZED')
    const old = kept.tokens?.refresh_token
    place.as.expireTokens()
    place.as.faults.set('/token', () => ({ status: 400, body: { error: 'invalid_grant' } }))
    await expect(connect(place, provider)).rejects.toMatchObject({ reason: 'unauthorized' })
    expect(named).toEqual([old])
    expect(kept.tokens).toBeUndefined()
  })
})
