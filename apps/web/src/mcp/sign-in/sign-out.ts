import { oauthErrorOf, signOut as end } from '@switchboard/mcp/oauth'
import { explainFault } from './explain-fault.ts'
import { challengeId } from './follow.ts'
import type { Known, SignInNeeds } from './needs.ts'
import { providerOf } from './provider-of.ts'

/** Forgets the tokens, and has them ended where that is offered. False where nobody could be told to end them. */
export async function signOut({ server, open }: Known, needs: SignInNeeds): Promise<boolean> {
  let asked = false
  const fetchFn: SignInNeeds['fetch'] = (url, init) => {
    asked ||= init.method === 'POST'
    return needs.fetch(url, init)
  }
  try {
    const provider = await providerOf(server, open, needs)
    await end(provider, { serverUrl: server.url, fetchFn })
    return asked
  } catch (error) {
    // Forgotten they are in any case; what failed is telling of it.
    if (oauthErrorOf(error)) return false
    throw explainFault(error, server.name)
  } finally {
    await needs.secrets.remove(challengeId(server.id))
  }
}
