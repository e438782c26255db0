import { Failed } from '#domain/failure.ts'
import { secretId } from '#domain/sealed.ts'
import type { Vault } from '#vault/vault.ts'

const PROOF = secretId('mcpServers', 'companion', 'proof')
/** Where earlier versions kept the token itself. */
const FORMER_TOKEN = secretId('mcpServers', 'companion', 'token')

const LIMIT_MS = 10_000

interface AccessNeeds {
  origin: string
  vault: Pick<Vault, 'open' | 'seal' | 'remove'>
  fetch: (url: string, init: RequestInit) => Promise<Response>
}

interface Admitted {
  token: string
  proof: string
}

/**
 * The companion that served this page, if one did. It hands its token over once, for the code in the address it opens. The
 * token stays in the memory of this worker, because a script in the page can read what an unprotected vault has stored.
 * After a reload the companion gives it again for two halves: the proof that the vault keeps, and a cookie that no script
 * can read and only a worker's request can send.
 */
export function createCompanionAccess({ origin, vault, fetch }: AccessNeeds) {
  /** Until the vault has the proof. */
  let fresh: Admitted | undefined
  let current: { proof: string; token: Promise<string> } | undefined

  async function ask(fields: { code: string } | { proof: string }): Promise<Partial<Admitted>> {
    const response = await fetch(`${origin}/api/open`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
      credentials: 'same-origin',
      redirect: 'error',
      cache: 'no-store',
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    const answer = (await response.json()) as Partial<Record<keyof Admitted, unknown>> | null
    const { token, proof } = answer ?? {}
    return { ...(typeof token === 'string' && { token }), ...(typeof proof === 'string' && { proof }) }
  }

  async function readmit(proof: string): Promise<string> {
    const { token } = await ask({ proof }).catch(() => {
      throw new Failed(
        'companion',
        'The companion does not answer. Start the companion (npm start), and open the address that it prints.',
      )
    })
    if (token !== undefined) return token
    throw new Failed(
      'companion',
      'The companion was started anew and does not know this page. Open the address that it printed.',
    )
  }

  /** Hands the proof to the vault. To be called again when a vault that was locked is open. */
  async function keep(): Promise<void> {
    const admitted = fresh
    if (!admitted) return
    const isKept = await vault.seal(PROOF, admitted.proof).then(
      () => true,
      () => false,
    )
    if (!isKept || fresh !== admitted) return
    fresh = undefined
    current = { proof: admitted.proof, token: Promise.resolve(admitted.token) }
    if ((await vault.open(FORMER_TOKEN).catch(() => undefined)) !== undefined) await vault.remove(FORMER_TOKEN)
  }

  return {
    origin,
    /** Rejects with `Failed` where the vault is locked, or the companion no longer knows this browser. */
    async token(): Promise<string | undefined> {
      if (fresh) return fresh.token
      let proof: string | undefined
      try {
        proof = await vault.open(PROOF)
      } finally {
        // A vault that is locked, or was emptied, takes the token along.
        if (proof === undefined) current = undefined
      }
      if (proof === undefined) return undefined
      if (current?.proof !== proof) {
        const next = { proof, token: readmit(proof) }
        current = next
        next.token.catch(() => {
          if (current === next) current = undefined
        })
      }
      return current.token
    },
    /** Changes a code for the token. One that was used before changes nothing: this browser may be known already. */
    async enter(code: string): Promise<void> {
      try {
        const { token, proof } = await ask({ code })
        if (token !== undefined && proof !== undefined) fresh = { token, proof }
      } catch {
        // That the companion is not there is told where something is asked of it.
      }
      await keep()
    },
    keep,
  }
}
