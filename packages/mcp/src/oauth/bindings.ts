import type { Flow } from './authorize.ts'
import type { OAuthClientInformation, OAuthClientProvider, OAuthTokens } from './provider.ts'

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
