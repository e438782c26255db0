import type { OAuthStorage, OAuthTokens } from '@switchboard/mcp/oauth'
import { secretId } from '#domain/sealed.ts'
import type { SignInNeeds } from './needs.ts'

/** What is kept of one server's sign-ins, sealed: tokens, registrations, and who they belong to. */
export function vaultStorage(serverId: string, { secrets, signIns, now }: SignInNeeds): OAuthStorage {
  const idOf = (key: string) => secretId('mcpOAuthTokens', serverId, key)
  return {
    get: (key) => secrets.open(idOf(key)),
    async set(key, value) {
      await secrets.seal(idOf(key), value)
      if (!isTokens(key)) return
      const { expires_in: seconds, obtained_at: obtainedAt, scope } = JSON.parse(value) as OAuthTokens
      await signIns.note({
        serverId,
        secretId: idOf(key),
        ...(seconds !== undefined &&
          obtainedAt !== undefined && { expiresAt: Math.round(obtainedAt + seconds * 1000) }),
        ...(scope !== undefined && { scope: scope.slice(0, 2_000) }),
        updatedAt: now(),
      })
    },
    async delete(key) {
      await secrets.remove(idOf(key))
      if (isTokens(key)) await signIns.forget(serverId)
    },
  }
}

/** As the library names them. */
const isTokens = (key: string): boolean => key.startsWith('tokens ')
