import { beginFlow, type Flow, readCode, takeFlow } from './authorize.ts'
import { readClient, readTokens, recordDiscovery, recordedIssuer, saveTokens, secretWithoutIssuer } from './bindings.ts'
import { type Discovered, discover } from './discover.ts'
import { type Wire, wireTo } from './fetch-document.ts'
import { OAuthError } from './oauth-error.ts'
import type { OAuthClientInformation, OAuthClientProvider, OAuthFetch, OAuthTokens } from './provider.ts'
import { refresh } from './refresh.ts'
import { identify } from './identify.ts'
import { requestTokens } from './token.ts'

/** For which server to sign in, and with what a person came back. */
export interface AuthOptions {
  /** The MCP server that wants a token. */
  serverUrl: string | URL
  /** What the sign-in page gave; with it the flow ends. */
  authorizationCode?: string | undefined
  /** `state` of that answer. */
  callbackState?: string | undefined
  /** `iss` of that answer. */
  callbackIssuer?: string | undefined
  /** The name that the official SDK 2.x has for `callbackIssuer`. */
  iss?: string | undefined
  /** The whole answer, instead of the three. */
  callback?: URLSearchParams | undefined
  scope?: string | undefined
  /** From the server's challenge. */
  resourceMetadataUrl?: string | URL | undefined
  /** Sign in anew even where a refresh token is left: a refresh cannot give more rights. */
  forceReauthorization?: boolean | undefined
  /** The tokens that were refused: those stored may be newer already. */
  refused?: OAuthTokens | undefined
  fetchFn?: OAuthFetch | undefined
  signal?: AbortSignal | undefined
}

/** Whether there are tokens now, or a person was sent to sign in. */
export type AuthResult = 'AUTHORIZED' | 'REDIRECT'

/**
 * Gets tokens for a server: by refreshing, by a grant of the application's own, or by sending a person to sign in.
 * `'REDIRECT'` means somebody was sent: call again with what they bring back.
 *
 * @example
 * const result = await auth(provider, { serverUrl: 'https://example.com/mcp' })
 * // on the page they come back to
 * await auth(provider, { serverUrl, authorizationCode, callbackState, callbackIssuer })
 */
export async function auth(provider: OAuthClientProvider, options: AuthOptions): Promise<AuthResult> {
  try {
    return await authOnce(provider, options)
  } catch (error) {
    const { oauthCode } = error as Partial<OAuthError>
    const forgotten = oauthCode === 'invalid_client' || oauthCode === 'unauthorized_client'
    // A server that forgot a registration of ours gets a new one, once. A registration of people's own is theirs to mend.
    if (!forgotten || !(await isOurs(provider))) throw error
    await provider.invalidateCredentials?.('client')
    await provider.invalidateCredentials?.('tokens')
    // A code cannot be used by another: the next sign-in is by the new one.
    if (options.callback ?? options.authorizationCode) throw error
    return authOnce(provider, options)
  }
}

/** Whether the client id came by registering, not from people. */
async function isOurs(provider: OAuthClientProvider): Promise<boolean> {
  const told = await provider.isClientInformationDynamicallyRegistered?.()
  // Ours say what they asked for; what people write down themselves is an id and a secret.
  return told ?? (await readClient(provider))?.redirect_uris !== undefined
}

async function authOnce(provider: OAuthClientProvider, options: AuthOptions): Promise<AuthResult> {
  const serverUrl = new URL(options.serverUrl)
  const wire = wireTo(serverUrl, options.fetchFn, options.signal)
  const answer = options.callback ?? answerOf(options)
  if (answer) {
    const flow = await takeFlow(provider)
    await finish(wire, provider, options, answer, flow)
    return 'AUTHORIZED'
  }
  const old = options.refused ?? (await readTokens(provider))
  const metadataUrl = options.resourceMetadataUrl && String(options.resourceMetadataUrl)
  const discovered = await discover(wire, provider, options.serverUrl, metadataUrl || undefined, old)
  const moved = await askAboutMove(provider, serverUrl, old, discovered)
  const client = await identify(wire, provider, discovered.server)
  await recordDiscovery(provider, discovered)
  // Tokens for another server are left alone: what they bring would be sent to this one.
  const ours = !moved && old?.issuer !== undefined && (old.resource ?? discovered.resource) === discovered.resource
  if (ours && !options.forceReauthorization && old.refresh_token) {
    if (await refresh(wire, provider, discovered, client, old)) return 'AUTHORIZED'
  }
  const scope =
    options.scope ?? (discovered.resourceMetadata?.scopes_supported?.join(' ') || provider.clientMetadata.scope)
  return obtain(wire, provider, options, discovered, client, scope)
}

function answerOf({
  authorizationCode,
  callbackState,
  callbackIssuer,
  iss = callbackIssuer,
}: AuthOptions): URLSearchParams | undefined {
  if (authorizationCode === undefined) return undefined
  const answer = new URLSearchParams({ code: authorizationCode })
  if (callbackState !== undefined) answer.set('state', callbackState)
  if (iss !== undefined) answer.set('iss', iss)
  return answer
}

/** Tokens by a grant without a person, else a person is sent. */
async function obtain(
  wire: Wire,
  provider: OAuthClientProvider,
  options: AuthOptions,
  discovered: Discovered,
  client: OAuthClientInformation,
  scope: string | undefined,
): Promise<AuthResult> {
  const serverUrl = new URL(options.serverUrl)
  // With a redirectUrl a person signs in first: then it is asked with the code.
  let parameters = provider.redirectUrl ? undefined : await prepare(wire, provider, discovered, scope)
  if (!parameters && !provider.redirectUrl) {
    if (!provider.clientMetadata.grant_types?.includes('client_credentials'))
      throw new OAuthError('sign-in-needed', `${serverUrl.host} wants a person to sign in, and there is no redirectUrl`)
    parameters = new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) })
  }
  if (parameters) {
    await keep(provider, scope, await requestTokens(wire, provider, discovered, client, parameters))
    return 'AUTHORIZED'
  }
  await beginFlow(wire, provider, serverUrl, discovered, client, scope)
  const answer = await provider.authorizationResponse?.()
  if (!answer) return 'REDIRECT'
  await finish(wire, provider, { ...options, callback: answer }, answer, await takeFlow(provider), discovered)
  return 'AUTHORIZED'
}

/** The parameters of a grant that the provider makes itself. */
async function prepare(
  wire: Wire,
  provider: OAuthClientProvider,
  { server, resource }: Discovered,
  scope: string | undefined,
): Promise<URLSearchParams | undefined> {
  const { issuer, token_endpoint: tokenEndpoint = '' } = server
  return provider.prepareTokenRequest?.(scope, { issuer, tokenEndpoint, resource, fetch: wire.fetch })
}

/** Changes the code for tokens, if everything about the answer is as it was when the person was sent. */
async function finish(
  wire: Wire,
  provider: OAuthClientProvider,
  options: AuthOptions,
  answer: URLSearchParams,
  flow: Flow,
  found?: Discovered,
): Promise<void> {
  const { resourceMetadataUrl } = options
  const metadataUrl = flow.metadataUrl ?? (resourceMetadataUrl === undefined ? undefined : String(resourceMetadataUrl))
  const discovered = found ?? (await discover(wire, provider, options.serverUrl, metadataUrl, flow))
  const code = readCode(flow, discovered, answer, await neededOf(provider, options))
  const client = await clientOf(wire, provider, discovered, flow)
  if (discovered.resource !== (flow.resource ?? discovered.resource)) throw notWhoWasSent()
  await recordDiscovery(provider, discovered)
  const parameters =
    (await prepare(wire, provider, discovered, flow.scope)) ??
    new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: flow.redirectUri,
      code_verifier: flow.verifier,
    })
  await keep(provider, flow.scope, await requestTokens(wire, provider, discovered, client, parameters))
}

/**
 * What an answer has to bring. Applications written for the other libraries pass the code alone and check the state
 * themselves, unless their provider stores it; a whole query, and a provider that keeps our record, have both.
 */
async function neededOf(
  provider: OAuthClientProvider,
  { callback, callbackIssuer, iss }: AuthOptions,
): Promise<{ state: boolean; issuer: boolean }> {
  const whole = callback !== undefined || provider.pendingAuthorization !== undefined
  return {
    state: whole || (await provider.storedState?.()) !== undefined,
    issuer: whole || (iss ?? callbackIssuer) !== undefined,
  }
}

/** The client a person was sent as: it never changes between the two halves of a flow. */
async function clientOf(
  wire: Wire,
  provider: OAuthClientProvider,
  { server }: Discovered,
  { clientId }: Flow,
): Promise<OAuthClientInformation> {
  const { issuer } = server
  const stored = clientId === undefined ? await readClient(provider, { issuer }) : undefined
  // Only an id recorded with the flow vouches for a secret without an issuer. Registering anew would not help: the code
  // belongs to the client that began.
  if (stored?.client_secret && stored.issuer === undefined) throw secretWithoutIssuer(issuer)
  const sentId = clientId ?? stored?.client_id
  const usesDocument = server.client_id_metadata_document_supported === true && provider.clientMetadataUrl
  if (sentId === undefined && !usesDocument) throw notWhoWasSent()
  const client = await identify(wire, provider, server, clientId)
  if (client.client_id !== (sentId ?? provider.clientMetadataUrl)) throw notWhoWasSent()
  return client
}

const notWhoWasSent = (): OAuthError =>
  new OAuthError('foreign-answer', 'This answer belongs to another client or server: sign in again')

/** Stored before used. A server that does not say what it granted granted what was asked. */
async function keep(provider: OAuthClientProvider, asked: string | undefined, tokens: OAuthTokens): Promise<void> {
  await saveTokens(provider, { ...(asked && { scope: asked }), ...tokens })
}

/** Tokens that another authorization server gave are not shown to this one, and a person should know of it. */
async function askAboutMove(
  provider: OAuthClientProvider,
  serverUrl: URL,
  old: OAuthTokens | undefined,
  { server }: Discovered,
): Promise<boolean> {
  const from = old?.issuer ?? (await readClient(provider))?.issuer ?? (await recordedIssuer(provider))
  if (from === undefined || from === server.issuer) return false
  // Another spelling of the same place is nothing to ask about, but nothing to show old tokens to either.
  if (URL.canParse(from) && new URL(from).href === new URL(server.issuer).href) return true
  const question = { kind: 'provider-changed', server: serverUrl.origin, from, to: server.issuer } as const
  if (!(await provider.confirm?.(question))) {
    const hosts = `from ${new URL(from).host} to ${new URL(server.issuer).host}`
    throw new OAuthError('provider-changed', `Signing in to ${serverUrl.host} moved ${hosts}: agree to it in confirm`)
  }
  await provider.invalidateCredentials?.('tokens', old && { tokens: old })
  return true
}
