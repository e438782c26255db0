import { Failed } from '#domain/failure.ts'
import { secretId } from '#domain/sealed.ts'
import type { ServerSecrets, SignInOffer } from '#domain/server.ts'
import type { Connections } from './connections.ts'
import { signInNeeds } from './follow-sign-in.ts'
import type { McpNeeds } from './needs.ts'
import { serverOfAnswer } from './sign-in/attempt.ts'
import type { Known, SignInServer } from './sign-in/needs.ts'

/** A server that is tried before it is saved: its id is the one that it is saved with, if it is. */
export interface Draft {
  server: SignInServer
  secrets: ServerSecrets
}

/** Sealed, so that a sign-in for it can end after the page was left. */
export const draftId = (serverId: string): string => secretId('mcpOAuthTokens', serverId, 'draft')

export interface SignIns {
  /** A fresh offer to sign in, with what the server wanted last. */
  prepare(serverId: string): Promise<SignInOffer>
  /** Ends a sign-in; `answer` is the query of the page that people come back to. */
  finish(answer: string): Promise<{ serverId: string }>
  /** False where nobody could be told to end the tokens; they are forgotten in any case. */
  signOut(serverId: string): Promise<{ revoked: boolean }>
  draft(serverId: string): Promise<Draft | undefined>
}

/** What there is to do about signing in, loaded when it is done. */
export function createSignIns(needs: McpNeeds, connections: Connections): SignIns {
  const own = signInNeeds(needs)

  async function draft(serverId: string): Promise<Draft | undefined> {
    const kept = await needs.secrets.open(draftId(serverId))
    return kept === undefined ? undefined : (JSON.parse(kept) as Draft)
  }

  async function known(serverId: string): Promise<Known & { isSaved: boolean }> {
    const server = await needs.servers.server(serverId)
    if (server)
      return {
        server,
        open: (field) => needs.secrets.open(secretId('mcpServers', serverId, field)),
        isSaved: true,
      }
    const tried = await draft(serverId)
    if (!tried) throw new Failed('not-found', 'The server that this sign-in was for is not there any more.')
    return { server: tried.server, open: async (field) => tried.secrets[field], isSaved: false }
  }

  return {
    draft,
    async prepare(serverId) {
      const one = await known(serverId)
      const { prepareSignIn } = await import('./sign-in/prepare-sign-in.ts')
      const offer = await prepareSignIn(one, own)
      if (offer) return offer
      if (one.isSaved) {
        // It may want something by now; if so, it says so here.
        try {
          await connections.connect(serverId)
        } catch (error) {
          const fresh = await prepareSignIn(one, own)
          if (fresh) return fresh
          throw error
        }
      }
      throw new Failed('bad-input', `${one.server.name} wants no sign-in now.`)
    },
    async finish(answer) {
      const serverId = serverOfAnswer(answer)
      const one = await known(serverId)
      const { finishSignIn } = await import('./sign-in/finish-sign-in.ts')
      await finishSignIn(answer, one, own)
      if (one.isSaved) {
        connections.close(serverId)
        // Connecting is told by the state of the server.
        void connections.connect(serverId).catch(() => {})
      }
      return { serverId }
    },
    async signOut(serverId) {
      const one = await known(serverId)
      const { signOut } = await import('./sign-in/sign-out.ts')
      connections.close(serverId)
      return { revoked: await signOut(one, own) }
    },
  }
}
