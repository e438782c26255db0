import type { TokenSource } from '@switchboard/mcp'
import { secretId } from '#domain/sealed.ts'
import type { SignInOffer } from '#domain/server.ts'
import type { OpenSecret, SignInNeeds, SignInServer } from './needs.ts'

/** Tokens for one server, and where a person would get them. */
export interface Following extends TokenSource {
  /** Where to sign in, after a refusal that a person can answer. */
  offer: () => SignInOffer | undefined
}

/** Loaded when a server first wants a sign-in: most want none. `onToken` hears each token before it is sent. */
export function followLater(
  server: SignInServer,
  open: OpenSecret,
  needs: SignInNeeds,
  onToken: (token: string) => void,
): Following {
  let following: Promise<Following> | undefined
  let loaded: Following | undefined
  const load = (): Promise<Following> => {
    following ??= import('./follow.ts').then(async ({ follow }) => (loaded = await follow(server, open, needs)))
    // What could not be loaded is tried again by the next.
    following.catch(() => (following = undefined))
    return following
  }
  // Whoever is given a token after this is told so, and connects anew.
  const hasTokens = needs.secrets
    .open(secretId('mcpOAuthTokens', server.id, `tokens ${new URL(server.url).href}`))
    .then((tokens) => tokens !== undefined)
  hasTokens.catch(() => {})
  return {
    async token() {
      const token = loaded || (await hasTokens) ? await (await load()).token() : undefined
      if (token !== undefined) onToken(token)
      return token
    },
    sign: async (method, url, token) => (await load()).sign?.(method, url, token) ?? {},
    answered: (response, url) => loaded?.answered?.(response, url),
    challenge: async (challenge) => (await load()).challenge(challenge),
    offer: () => loaded?.offer(),
  }
}
