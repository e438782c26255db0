import type { Flow } from './authorize.ts'
import type { Discovered } from './discover.ts'
import { OAuthError } from './oauth-error.ts'
import type {
  OAuthAuthorizationServerInformation,
  OAuthClientInformation,
  OAuthClientProvider,
  OAuthTokens,
} from './provider.ts'

type Binding = Pick<OAuthTokens, 'issuer' | 'resource' | 'agreed' | 'obtained_at'>

/** What is known of a provider besides what it stores, for as long as its object lives. */
interface Memory {
  /** The sign-in under way, for a provider that stores the verifier alone. */
  flow?: Flow | undefined
  /** A verifier that was used and that the provider cannot forget. */
  spentVerifier?: string | undefined
  tokens?: { accessToken: string; binding: Binding } | undefined
  client?: { id: string; issuer: string | undefined } | undefined
}

// Providers written for other libraries may store the standard fields alone, so the bindings are kept here as well.
const memories = new WeakMap<OAuthClientProvider, Memory>()

export function memoryOf(provider: OAuthClientProvider): Memory {
  const memory = memories.get(provider) ?? {}
  memories.set(provider, memory)
  return memory
}

/** The authorization server that the provider recorded: in one of the ways of the AI SDK or of the official SDKs. */
export async function recordedIssuer(provider: OAuthClientProvider): Promise<string | undefined> {
  const information = await provider.authorizationServerInformation?.()
  const discovered = information ? undefined : await provider.discoveryState?.()
  const issuer =
    information?.issuer ??
    information?.authorizationServerUrl ??
    discovered?.authorizationServerMetadata?.issuer ??
    discovered?.authorizationServerUrl
  return issuer !== undefined && URL.canParse(issuer) ? issuer : undefined
}

/**
 * Saves what was discovered. Call it only after the user agreed to a changed authorization server and the client was
 * identified: from here on, credentials stored without an issuer count as this server's.
 */
export async function recordDiscovery(
  provider: OAuthClientProvider,
  { server, unsavedState }: Pick<Discovered, 'server' | 'unsavedState'>,
): Promise<void> {
  if (!unsavedState || !provider.saveDiscoveryState) return
  await releaseUnboundCredentials(provider, server.issuer)
  await provider.saveDiscoveryState(unsavedState)
}

/** Saves where a person is sent to sign in. The same caution applies as for {@link recordDiscovery}. */
export async function recordAuthorizationServer(
  provider: OAuthClientProvider,
  information: OAuthAuthorizationServerInformation & { issuer: string },
): Promise<void> {
  if (!provider.saveAuthorizationServerInformation) return
  await releaseUnboundCredentials(provider, information.issuer)
  await provider.saveAuthorizationServerInformation(information)
}

/** A stored secret that nobody can assign to an authorization server. */
export const secretWithoutIssuer = (issuer: string): OAuthError =>
  new OAuthError(
    'no-client',
    `A client secret says with "issuer" where it belongs: add issuer: ${JSON.stringify(issuer)} if that is right`,
  )

/** Makes sure that a new record doesn't assign to `issuer` a refresh token or client secret of unknown or other origin. */
async function releaseUnboundCredentials(provider: OAuthClientProvider, issuer: string): Promise<void> {
  const stored = await provider.tokens()
  if (stored?.refresh_token && stored.issuer === undefined && (await readTokens(provider))?.issuer !== issuer) {
    const { refresh_token: _dropped, ...rest } = stored
    await provider.saveTokens(rest)
  }
  const client = await provider.clientInformation({ issuer })
  if (!client?.client_secret || client.issuer !== undefined) return
  if ((await readClient(provider, { issuer }))?.issuer === issuer) return
  throw secretWithoutIssuer(issuer)
}

/** The stored tokens, with the binding they came with where the provider dropped it. */
export async function readTokens(
  provider: OAuthClientProvider,
  context?: { issuer: string },
): Promise<OAuthTokens | undefined> {
  const tokens = await provider.tokens(context)
  if (!tokens) return undefined
  const { accessToken, binding } = memoryOf(provider).tokens ?? {}
  const known = accessToken === tokens.access_token ? { ...binding, ...defined(tokens) } : tokens
  // Only a refresh token needs an issuer: the access token goes to the MCP server.
  if (known.issuer !== undefined || !known.refresh_token) return known
  const issuer = await recordedIssuer(provider)
  return issuer === undefined ? known : { ...known, issuer }
}

export async function saveTokens(provider: OAuthClientProvider, tokens: OAuthTokens): Promise<void> {
  const { access_token: accessToken, issuer = '', resource, agreed, obtained_at } = tokens
  await provider.saveTokens(tokens, { issuer })
  memoryOf(provider).tokens = { accessToken, binding: { issuer, resource, agreed, obtained_at } }
}

/** The stored client, with the issuer it was registered at where the provider dropped it. */
export async function readClient(
  provider: OAuthClientProvider,
  context?: { issuer: string },
): Promise<OAuthClientInformation | undefined> {
  const client = await provider.clientInformation(context)
  if (!client || client.issuer !== undefined) return client
  const { id, issuer } = memoryOf(provider).client ?? {}
  const bound = id === client.client_id ? issuer : await recordedIssuer(provider)
  return bound === undefined ? client : { ...client, issuer: bound }
}

export async function saveClient(
  provider: OAuthClientProvider,
  client: OAuthClientInformation,
  issuer: string,
): Promise<void> {
  await provider.saveClientInformation?.(client, { issuer })
  memoryOf(provider).client = { id: client.client_id, issuer }
}

function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined && field !== null)) as T
}
