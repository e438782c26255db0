import type * as AiSdk from '@ai-sdk/mcp'
import type * as V2 from '@modelcontextprotocol/client'
import type * as V1 from '@modelcontextprotocol/sdk/client/auth.js'
import { auth, createMCPClient, HttpTransport, UnauthorizedError } from '@switchboard/mcp/oauth'
import { describe, expect, it } from 'vitest'
import { closing, quick } from '../faults/scenario.ts'
import { connect, REDIRECT, refusalOf, type World, world } from './scenario.ts'

const call = { name: 'echo', arguments: { mark: 'once' } }

/** A provider as the documentation of the AI SDK has it: everything in memory, the state kept and compared. */
class AiSdkProvider implements AiSdk.OAuthClientProvider {
  url: URL | undefined
  opened = 0
  #tokens: AiSdk.OAuthTokens | undefined
  #client: AiSdk.OAuthClientInformation | undefined
  #verifier: string | undefined
  #state: string | undefined

  get redirectUrl(): string {
    return REDIRECT
  }
  get clientMetadata(): AiSdk.OAuthClientMetadata {
    return {
      client_name: 'An application',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
  }
  tokens = () => this.#tokens
  saveTokens(tokens: AiSdk.OAuthTokens): void {
    this.#tokens = tokens
  }
  redirectToAuthorization(url: URL): void {
    this.url = url
    this.opened++
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }
  codeVerifier(): string {
    if (!this.#verifier) throw new Error('No code verifier saved')
    return this.#verifier
  }
  clientInformation = () => this.#client
  saveClientInformation(client: AiSdk.OAuthClientInformation): void {
    this.#client = client
  }
  state(): string {
    return crypto.randomUUID()
  }
  saveState(state: string): void {
    this.#state = state
  }
  storedState = () => this.#state
  invalidateCredentials(scope: string): void {
    if (scope === 'all' || scope === 'tokens') this.#tokens = undefined
    if (scope === 'all' || scope === 'client') this.#client = undefined
    if (scope === 'all' || scope === 'verifier') this.#verifier = undefined
  }
}

/** A provider as the examples of the official SDK have it: no state, and nothing optional but a registration. */
class OfficialProvider implements V1.OAuthClientProvider, V2.OAuthClientProvider {
  url: URL | undefined
  opened = 0
  #tokens: Awaited<ReturnType<V1.OAuthClientProvider['tokens']>>
  #client: Awaited<ReturnType<V1.OAuthClientProvider['clientInformation']>>
  #verifier: string | undefined

  get redirectUrl(): string {
    return REDIRECT
  }
  get clientMetadata() {
    return { client_name: 'An application', redirect_uris: [REDIRECT] }
  }
  clientInformation() {
    return this.#client
  }
  saveClientInformation(client: NonNullable<Awaited<ReturnType<V1.OAuthClientProvider['clientInformation']>>>): void {
    this.#client = client
  }
  tokens() {
    return this.#tokens
  }
  saveTokens(tokens: NonNullable<Awaited<ReturnType<V1.OAuthClientProvider['tokens']>>>): void {
    this.#tokens = tokens
  }
  redirectToAuthorization(url: URL): void {
    this.url = url
    this.opened++
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }
  codeVerifier(): string {
    if (!this.#verifier) throw new Error('No code verifier saved')
    return this.#verifier
  }
}

/** What the application's callback page gets. */
async function comeBack({ as }: World, { url }: { url: URL | undefined }) {
  if (!url) throw new Error('Nobody was sent')
  const answer = await as.signIn(url)
  return {
    authorizationCode: answer.get('code') ?? '',
    callbackState: answer.get('state') ?? '',
    callbackIssuer: answer.get('iss') ?? '',
  }
}

describe('a provider written for the AI SDK', () => {
  it('[O2] [1.5] signs in, calls, refreshes and signs in again, as it is', async () => {
    const place = await world()
    const provider = new AiSdkProvider()
    const refused = await connect(place, provider).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(UnauthorizedError)
    expect(provider.opened).toBe(1)
    const serverUrl = place.mcp.url
    expect(await auth(provider, { serverUrl, ...(await comeBack(place, provider)) })).toBe('AUTHORIZED')
    const client = await connect(place, provider)
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'once' }] })
    place.as.expireTokens()
    await client.callTool(call)
    expect(place.as.tokenRequests.map((form) => form.get('grant_type'))).toEqual([
      'authorization_code',
      'refresh_token',
    ])
    place.as.revokeAll()
    await refusalOf(client.callTool(call), 'sign-in-needed')
    expect(provider.opened).toBe(2)
    await auth(provider, { serverUrl, ...(await comeBack(place, provider)) })
    await client.callTool(call)
    expect(place.as.to('/register')).toHaveLength(1)
  })

  it('[A1.8] is held to its state: another one, or none, brings no token request', async () => {
    const place = await world()
    const serverUrl = place.mcp.url
    for (const callbackState of ['other', undefined, '']) {
      const provider = new AiSdkProvider()
      expect(await auth(provider, { serverUrl })).toBe('REDIRECT')
      await refusalOf(
        auth(provider, { serverUrl, ...(await comeBack(place, provider)), callbackState }),
        'foreign-answer',
      )
    }
    expect(place.as.tokenRequests).toEqual([])
  })

  it('[A1.8] that has no verifier any more gets no token', async () => {
    const place = await world()
    const provider = new AiSdkProvider()
    const serverUrl = place.mcp.url
    await auth(provider, { serverUrl })
    const answer = await comeBack(place, provider)
    await auth(provider, { serverUrl, ...answer })
    await expect(auth(provider, { serverUrl, ...answer })).rejects.toThrow()
    expect(place.as.tokenRequests).toHaveLength(1)
  })

  it('[O4] [A1.4] is held to the house it was sent to', async () => {
    const place = await world()
    const provider = new AiSdkProvider()
    const serverUrl = place.mcp.url
    await auth(provider, { serverUrl })
    const answer = await comeBack(place, provider)
    await refusalOf(auth(provider, { serverUrl, ...answer, callbackIssuer: 'https://evil.example' }), 'foreign-answer')
    expect(place.as.tokenRequests).toEqual([])
  })
})

describe('a provider written for the official SDKs', () => {
  it('[O2] [1.5] without a state signs in with a code alone, through auth', async () => {
    const place = await world()
    place.as.metadata = { authorization_response_iss_parameter_supported: undefined }
    const provider = new OfficialProvider()
    const serverUrl = place.mcp.url
    expect(await auth(provider, { serverUrl })).toBe('REDIRECT')
    const { authorizationCode } = await comeBack(place, provider)
    expect(await auth(provider, { serverUrl, authorizationCode })).toBe('AUTHORIZED')
    const client = await connect(place, provider)
    await client.callTool(call)
    place.as.expireTokens()
    await client.callTool(call)
    expect(place.as.tokenRequests.map((form) => form.get('grant_type'))).toEqual([
      'authorization_code',
      'refresh_token',
    ])
    expect(provider.opened).toBe(1)
  })

  it('[O2] [1.5] ends a sign-in with finishAuth, with the code or with all of the answer', async () => {
    for (const whole of [true, false]) {
      const place = await world()
      const provider = new OfficialProvider()
      const transport = new HttpTransport({ url: place.mcp.url, authProvider: provider, backoff: quick })
      await refusalOf(createMCPClient({ transport }), 'sign-in-needed')
      const answer = await place.as.signIn(provider.url!)
      if (whole) await transport.finishAuth(answer)
      else await transport.finishAuth(answer.get('code') ?? '', answer.get('iss') ?? '')
      const again = new HttpTransport({ url: place.mcp.url, authProvider: provider, backoff: quick })
      const client = closing(await createMCPClient({ transport: again }))
      expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'once' }] })
    }
  })

  it('[A1.4] that hands in the whole answer is refused when the promised issuer is missing', async () => {
    const place = await world()
    const provider = new OfficialProvider()
    const serverUrl = place.mcp.url
    await auth(provider, { serverUrl })
    const callback = await place.as.signIn(provider.url!)
    callback.delete('iss')
    await refusalOf(auth(provider, { serverUrl, callback }), 'foreign-answer')
    expect(place.as.tokenRequests).toEqual([])
  })

  it('[A1.8] is held to a state that comes back, though it keeps none itself', async () => {
    const place = await world()
    const provider = new OfficialProvider()
    const serverUrl = place.mcp.url
    await auth(provider, { serverUrl })
    const answer = await comeBack(place, provider)
    await refusalOf(auth(provider, { serverUrl, ...answer, callbackState: 'other' }), 'foreign-answer')
    expect(place.as.tokenRequests).toEqual([])
  })

  it('[A1.2] whose tokens do not say who gave them shows the refresh token to nobody', async () => {
    const place = await world()
    const provider = new OfficialProvider()
    provider.saveTokens({ access_token: 'old', token_type: 'Bearer', refresh_token: 'canary-of-somebody' })
    await refusalOf(connect(place, provider), 'sign-in-needed')
    expect(place.as.heard).not.toContain('canary')
    expect(provider.opened).toBe(1)
  })
})
