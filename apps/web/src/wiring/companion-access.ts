import { secretId } from '#domain/sealed.ts'
import type { Vault } from '#vault/vault.ts'

const TOKEN = secretId('mcpServers', 'companion', 'token')

/**
 * The companion that served this page, if one did. It hands its token over once, with the address it opens; the vault
 * keeps it, so that a reload does not lose it. After the companion was started again, another is needed.
 */
export function createCompanionAccess(origin: string, vault: Pick<Vault, 'open' | 'seal'>) {
  let given: string | undefined
  return {
    origin,
    token: async (): Promise<string | undefined> => given ?? vault.open(TOKEN),
    /** Works with a vault that is locked too: then the token is kept in memory alone. */
    async take(token: string): Promise<void> {
      given = token
      await vault.seal(TOKEN, token).catch(() => {})
    },
  }
}
