import * as oauth from 'oauth4webapi'
import { discover, isLocal } from './discover.ts'
import { fetchBounded, type Wire } from './fetch-document.ts'
import type { AuthOptions } from './auth.ts'
import type { OAuthClientProvider } from './provider.ts'
import { lockOf, withLock } from './lock.ts'
import { identify } from './register.ts'
import { authenticationOf, through } from './token.ts'

const NONE = { access_token: '', token_type: '' }

/**
 * Forgets the tokens of a server, and tells the authorization server to end them where it can be told. Forgotten they are
 * in any case; an error says that nobody could be told.
 */
export async function signOut(
  provider: OAuthClientProvider,
  { serverUrl, fetchFn, signal }: Pick<AuthOptions, 'serverUrl' | 'fetchFn' | 'signal'>,
): Promise<void> {
  const url = new URL(serverUrl)
  const wire: Wire = { fetch: fetchFn ?? ((to, init) => globalThis.fetch(to, init)), local: isLocal(url), signal }
  // A refresh under way, in any tab, ends before: it would store new ones afterwards.
  const tokens = await withLock(lockOf((await provider.tokens()) ?? NONE), async () => {
    const stored = await provider.tokens()
    await provider.invalidateCredentials?.('tokens')
    return stored
  })
  if (!tokens?.issuer) return
  const { server } = await discover(wire, provider, url, undefined, tokens.issuer)
  // What another server gave is not shown to this one.
  if (server.issuer !== tokens.issuer || !server.revocation_endpoint) return
  const client = await identify(wire, provider, server)
  // The refresh token takes its access tokens with it.
  await oauth.revocationRequest(
    server as oauth.AuthorizationServer,
    client as oauth.Client,
    authenticationOf(provider, server, client),
    tokens.refresh_token ?? tokens.access_token,
    through(wire, async (address, init) => {
      await fetchBounded(wire, 'revocation endpoint', address, init)
    }),
  )
}
