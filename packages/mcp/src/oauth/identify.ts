import type { Wire } from './fetch-document.ts'
import { withLock } from './lock.ts'
import { OAuthError } from './oauth-error.ts'
import { readClient, saveClient, secretWithoutIssuer } from './bindings.ts'
import type { AuthorizationServerMetadata, OAuthClientInformation, OAuthClientProvider } from './provider.ts'

/**
 * Who we are to this authorization server: registered before, known by our own document, or registered now. `sentId` is
 * who a person was sent as.
 */
export async function identify(
  wire: Wire,
  provider: OAuthClientProvider,
  server: AuthorizationServerMetadata,
  sentId?: string,
): Promise<OAuthClientInformation> {
  const { issuer } = server
  const { host } = new URL(issuer)
  const known = await readClient(provider, { issuer })
  if (known && isUsable(known, issuer, sentId)) return known
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
    const other = await readClient(provider, { issuer })
    if (other && isUsable(other, issuer, sentId)) return other
    // Once in the life of an installation: loaded for that.
    const { register } = await import('./register.ts')
    const client = await register(wire, provider, server)
    await saveClient(provider, client, issuer)
    return client
  })
}

/** Known here, not expired, and with a secret only where it is known whose it is. */
function isUsable(known: OAuthClientInformation, issuer: string, sentId: string | undefined): boolean {
  const { client_secret: secret, client_secret_expires_at: expires } = known
  if (known.issuer === undefined && secret !== undefined && known.client_id !== sentId) {
    // Registered by a program that did not write down where: nothing is lost with it.
    if (known.redirect_uris) return false
    throw secretWithoutIssuer(issuer)
  }
  return (known.issuer ?? issuer) === issuer && !(secret && expires && expires * 1000 < Date.now())
}
