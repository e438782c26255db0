import { secretId } from '#domain/sealed.ts'
import type { Vault } from '#vault/vault.ts'

const TOKEN = secretId('mcpServers', 'companion', 'token')

const LIMIT_MS = 10_000

interface AccessNeeds {
  origin: string
  vault: Pick<Vault, 'open' | 'seal'>
  fetch: (url: string, init: RequestInit) => Promise<Response>
}

/**
 * The companion that served this page, if one did. It hands its token over once, for the code in the address it opens; the
 * vault keeps it, so that a reload does not lose it. After the companion was started again, another is needed.
 */
export function createCompanionAccess({ origin, vault, fetch }: AccessNeeds) {
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
    /** Changes a code for the token. One that was used before changes nothing: the token may be in the vault. */
    async enter(code: string): Promise<void> {
      try {
        const response = await fetch(`${origin}/api/open`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ code }),
          redirect: 'error',
          cache: 'no-store',
          signal: AbortSignal.timeout(LIMIT_MS),
        })
        const { token } = (await response.json()) as { token?: unknown }
        if (typeof token === 'string') given = token
      } catch {
        // That the companion is not there is told where something is asked of it.
      }
      await keep()
    },
    keep,
  }
}
