import type { Server } from '#domain/server.ts'
import type { McpNeeds } from './needs.ts'
import { type Following, followLater } from './sign-in/follow-later.ts'
import type { OpenSecret, SignInNeeds, SignInServer } from './sign-in/needs.ts'

/** Whether a server may be signed in to, as against being told the same thing each time. */
export const followsSignIn = ({ transport, authentication: { type } }: Pick<Server, 'transport' | 'authentication'>) =>
  transport === 'streamable-http' && (type === 'auto' || type === 'oauth2')

export const signInNeeds = ({ secrets, signIns, fetch, now, companion }: McpNeeds): SignInNeeds => ({
  secrets,
  signIns,
  redirectUrl: `${companion.origin}/oauth/callback`,
  fetch,
  now,
})

/** Tokens for a connection, where the server is one that may be signed in to. */
export function followSignIn(
  server: SignInServer & Pick<Server, 'transport'>,
  open: OpenSecret,
  needs: SignInNeeds,
  onToken: (token: string) => void,
): Following | undefined {
  return followsSignIn(server) ? followLater(server, open, needs, onToken) : undefined
}

/** Everything in memory, for a test whose sign-in nobody would come back to. */
export function passing(needs: SignInNeeds): SignInNeeds {
  const values = new Map<string, string>()
  return {
    ...needs,
    secrets: {
      open: async (id) => values.get(id),
      seal: async (id, text) => void values.set(id, text),
      remove: async (id) => void values.delete(id),
    },
    signIns: { note: async () => {}, forget: async () => {} },
  }
}
