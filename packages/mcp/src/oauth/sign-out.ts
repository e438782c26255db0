import { readTokens } from './bindings.ts'
import { discover } from './discover.ts'
import { fetchBounded, wireTo } from './fetch-document.ts'
import { OAuthError } from './oauth-error.ts'
import type { AuthOptions } from './auth.ts'
import type { OAuthClientProvider } from './provider.ts'
import { lockOf, withLock } from './lock.ts'
import { identify } from './identify.ts'
import { formOf } from './token.ts'

const NONE = { access_token: '', token_type: '' }

/**
 * Forgets the tokens of a server, and tells the authorization server to end them where it can be told. Forgotten they are
 * in any case; an error says that nobody could be told.
 */
export async function signOut(
  provider: OAuthClientProvider,
  { serverUrl, fetchFn, signal }: Pick<AuthOptions, 'serverUrl' | 'fetchFn' | 'signal'>,
): Promise<void> {
  if (!provider.invalidateCredentials) throw new TypeError('signOut needs invalidateCredentials of the provider')
  const url = new URL(serverUrl)
  const wire = wireTo(url, fetchFn, signal)
  // A refresh under way, in any tab, ends before: it would store new ones afterwards.
  const tokens = await withLock(lockOf((await readTokens(provider)) ?? NONE), async () => {
    const stored = await readTokens(provider)
    await provider.invalidateCredentials?.('tokens')
    return stored
  })
  if (!tokens?.issuer) return
  const { server } = await discover(wire, provider, url, undefined, tokens)
  // What another server gave is not shown to this one.
  if (server.issuer !== tokens.issuer || !server.revocation_endpoint) return
  const client = await identify(wire, provider, server)
  // The refresh token takes its access tokens with it.
  const token = tokens.refresh_token ?? tokens.access_token
  const form = await formOf(provider, server, client, new URLSearchParams({ token }))
  const { status } = await fetchBounded(wire, 'revocation endpoint', server.revocation_endpoint, form)
  if (status > 299) {
    const { host } = new URL(server.issuer)
    throw new OAuthError('network', `The tokens are forgotten here, but ${host} did not end them: HTTP ${status}`)
  }
}
