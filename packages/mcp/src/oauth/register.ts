import { isLoopback } from './address.ts'
import { asObject, fetchBounded, type Wire } from './fetch-document.ts'
import { codeOf, OAuthError } from './oauth-error.ts'
import type {
  AuthorizationServerMetadata,
  OAuthClientInformation,
  OAuthClientMetadata,
  OAuthClientProvider,
} from './provider.ts'
import { isText } from './sendable.ts'

const METHODS = ['none', 'client_secret_basic', 'client_secret_post']

/** What we say of ourselves, with what the specification wants said. */
export function describeClient(
  provider: OAuthClientProvider,
  server: AuthorizationServerMetadata,
): OAuthClientMetadata {
  const { redirectUrl, clientMetadata } = provider
  const methods = server.token_endpoint_auth_methods_supported
  const redirects = redirectUrl ? [String(redirectUrl)] : []
  const metadata: OAuthClientMetadata = {
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    // A page keeps no secret; it takes one only where nothing else is offered.
    token_endpoint_auth_method: METHODS.find((method) => methods?.includes(method)) ?? 'none',
    ...clientMetadata,
    redirect_uris: clientMetadata.redirect_uris?.length > 0 ? clientMetadata.redirect_uris : redirects,
  }
  const isHosted = (uri: string): boolean => uri.startsWith('https:') && !isLoopback(uri.replace('https:', 'http:'))
  metadata.application_type ??= metadata.redirect_uris.some(isHosted) ? 'web' : 'native'
  return metadata
}

/** Registers this application (RFC 7591). */
export async function register(
  wire: Wire,
  provider: OAuthClientProvider,
  server: AuthorizationServerMetadata,
): Promise<OAuthClientInformation> {
  const metadata = describeClient(provider, server)
  const { issuer, registration_endpoint: endpoint = '', token_endpoint_auth_methods_supported: methods } = server
  const deed = `${new URL(issuer).host} did not register this application`
  const { status, text } = await fetchBounded(wire, 'registration endpoint', endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(metadata),
  })
  const { error, ...client } = asObject(text) ?? {}
  if (status > 299) {
    const code = codeOf(error)
    throw new OAuthError('registration-refused', `${deed}: ${code ?? `HTTP ${status}`}`, code)
  }
  const { client_id: id, client_secret: secret, client_secret_expires_at: expires, redirect_uris: redirects } = client
  const valid =
    isText(id) && (secret === undefined || isText(secret)) && (expires === undefined || typeof expires === 'number')
  if (!valid) throw new OAuthError('bad-document', `${deed}: its answer is not what it should be`)
  const asked = metadata.redirect_uris
  // Codes would be sent to whoever is in that list.
  if (redirects !== undefined && !(Array.isArray(redirects) && isSameSet(redirects, asked))) {
    throw new OAuthError('registration-refused', `${deed}: it wrote down other redirect addresses`)
  }
  // A secret that nobody asked for is meant to be used where the server does not take clients without one.
  const isPublic = secret === undefined || methods?.includes('none')
  const { token_endpoint_auth_method: method = isPublic ? metadata.token_endpoint_auth_method : undefined } = client
  return {
    client_id: id,
    ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: expires }),
    redirect_uris: asked,
    token_endpoint_auth_method: codeOf(method),
    issuer,
  }
}

const isSameSet = (some: unknown[], others: string[]): boolean =>
  some.length === others.length && others.every((other) => some.includes(other))
