import { isLoopback } from './address.ts'
import { asObject, fetchBounded, type Wire } from './fetch-document.ts'
import { withLock } from './lock.ts'
import { codeOf, OAuthError } from './oauth-error.ts'
import type {
  AuthorizationServerMetadata,
  OAuthClientInformation,
  OAuthClientMetadata,
  OAuthClientProvider,
} from './provider.ts'

const METHODS = ['none', 'client_secret_basic', 'client_secret_post']

/** Who we are to this authorization server: registered before, known by our own document, or registered now. */
export async function identify(
  wire: Wire,
  provider: OAuthClientProvider,
  server: AuthorizationServerMetadata,
): Promise<OAuthClientInformation> {
  const { issuer } = server
  const { host } = new URL(issuer)
  const known = await provider.clientInformation({ issuer })
  if (known && isUsable(known, issuer)) return known
  // What people registered themselves is theirs: nothing is put in its place.
  const fixed = known && (await provider.isClientInformationDynamicallyRegistered?.()) === false
  const documentUrl = provider.clientMetadataUrl
  if (documentUrl && !fixed && server.client_id_metadata_document_supported === true) {
    const url = new URL(documentUrl)
    if (url.protocol !== 'https:' || url.pathname === '/')
      throw new TypeError('clientMetadataUrl must be https and have a path')
    return { client_id: documentUrl, token_endpoint_auth_method: 'none', issuer }
  }
  if (fixed || server.registration_endpoint === undefined || !provider.saveClientInformation) {
    const why = known ? 'The client id is registered elsewhere' : 'There is no client id'
    throw new OAuthError('no-client', `${why}: register this application at ${host} and hand its id in`)
  }
  // Two servers of one house may be asked at once: both would register, and the first would not be known any more.
  return withLock(`mcp-oauth client ${issuer} ${String(provider.redirectUrl)}`, async () => {
    const other = await provider.clientInformation({ issuer })
    if (other && isUsable(other, issuer)) return other
    const client = await register(wire, server, describeClient(provider, server))
    await provider.saveClientInformation?.(client, { issuer })
    return client
  })
}

/** Known here, not expired, and with a secret only where it is known whose it is. */
function isUsable(known: OAuthClientInformation, issuer: string): boolean {
  const { client_secret: secret, client_secret_expires_at: expires } = known
  if (known.issuer === undefined && secret !== undefined) {
    throw new OAuthError(
      'no-client',
      `A client secret says with "issuer" where it belongs: add issuer: ${JSON.stringify(issuer)} if that is right`,
    )
  }
  return (known.issuer ?? issuer) === issuer && !(secret && expires && expires * 1000 < Date.now())
}

/** What we say of ourselves, with what the specification wants said. */
export function describeClient(
  provider: OAuthClientProvider,
  server: AuthorizationServerMetadata,
): OAuthClientMetadata {
  const { redirectUrl, clientMetadata } = provider
  const methods = server.token_endpoint_auth_methods_supported
  const redirects = redirectUrl === undefined ? [] : [String(redirectUrl)]
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

async function register(
  wire: Wire,
  { issuer, registration_endpoint: endpoint = '' }: AuthorizationServerMetadata,
  metadata: OAuthClientMetadata,
): Promise<OAuthClientInformation> {
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
  const { token_endpoint_auth_method: method = metadata.token_endpoint_auth_method } = client
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

/** Something that can be sent in a header or a form, and is there. */
export const isText = (value: unknown): value is string => typeof value === 'string' && /^[\x20-\x7e]+$/.test(value)
