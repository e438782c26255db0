import { secretId } from '#domain/sealed.ts'
import type { Vault } from '#vault/vault.ts'

const TOKEN = secretId('mcpServers', 'companion', 'token')

/**
 * The companion that served this page, if one did. It hands its token over once, with the address it opens; the vault
 * keeps it, so that a reload does not lose it. After the companion was started again, another is needed.
 */
export function createCompanionAccess(origin: string, vault: Pick<Vault, 'open' | 'seal'>) {
  /** Until the vault has it. */
  let given: string | undefined

  /** Hands the token to the vault. To be called again when a vault that was locked is open. */
  async function keep(): Promise<void> {
    const token = given
    if (token === undefined) return
    const isKept = await vault.seal(TOKEN, token).then(
      () => true,
      () => false,
    )
    if (isKept && given === token) given = undefined
  }

  return {
    origin,
    token: async (): Promise<string | undefined> => given ?? vault.open(TOKEN),
    take(token: string): Promise<void> {
      given = token
      return keep()
    },
    keep,
  }
}
