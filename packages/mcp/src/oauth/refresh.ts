import { readTokens, saveTokens } from './bindings.ts'
import type { Discovered } from './discover.ts'
import type { Wire } from './fetch-document.ts'
import { lockOf, withLock } from './lock.ts'
import { OAuthError } from './oauth-error.ts'
import type { OAuthClientInformation, OAuthClientProvider, OAuthTokens } from './provider.ts'
import { refreshTokens } from './token.ts'

/** One at a time over all tabs, looking first whether another was quicker. False when somebody has to sign in. */
export function refresh(
  wire: Wire,
  provider: OAuthClientProvider,
  discovered: Discovered,
  client: OAuthClientInformation,
  old: OAuthTokens,
): Promise<boolean> {
  const { issuer } = discovered.server
  return withLock(lockOf(old), async () => {
    const changed = async (): Promise<boolean | undefined> => {
      const stored = await readTokens(provider, { issuer })
      return stored && stored.access_token !== old.access_token
    }
    const quicker = await changed()
    // Nothing stored is signed out meanwhile: that stays.
    if (quicker !== false) return quicker === true
    try {
      const fresh = await refreshTokens(wire, provider, discovered, client, old)
      await saveTokens(provider, fresh)
      return true
    } catch (error) {
      const refused = error instanceof OAuthError && error.fault === 'token-refused'
      if (!refused || error.oauthCode?.endsWith('_client')) throw error
      // Somebody without our lock may have used it.
      if (await changed()) return true
      await provider.invalidateCredentials?.('tokens', { tokens: old })
      return false
    }
  })
}
