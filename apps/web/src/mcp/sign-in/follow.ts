import { type OAuthFault, OAuthTokenSource, oauthErrorOf } from '@switchboard/mcp/oauth'
import type { Challenge } from '@switchboard/mcp'
import { Failed } from '#domain/failure.ts'
import { secretId } from '#domain/sealed.ts'
import type { SignInOffer } from '#domain/server.ts'
import { wantsPassword } from '../challenge-schemes.ts'
import { explainFault } from './explain-fault.ts'
import type { Following } from './follow-later.ts'
import type { OpenSecret, SignInNeeds, SignInServer } from './needs.ts'
import { PersonProvider } from './person-provider.ts'
import { providerOf } from './provider-of.ts'

/** What the library does not do unasked, and a person may agree to by going on. */
const QUESTIONS: ReadonlySet<OAuthFault | undefined> = new Set<OAuthFault>([
  'provider-changed',
  'foreign-endpoints',
  'foreign-metadata',
  'no-pkce',
  'parent-resource',
])
/** No honest challenge is longer. */
const MAX_CHALLENGE = 4096

/** Why a server refused us, kept so that a sign-in can be offered again, after a reload too. */
export const challengeId = (serverId: string): string => secretId('mcpOAuthTokens', serverId, 'challenge')

/** Gets tokens for a server, as far as that goes without a person, and finds out where a person would have to go. */
export async function follow(server: SignInServer, open: OpenSecret, needs: SignInNeeds): Promise<Following> {
  const { name, id } = server
  const told = async <T>(deed: () => Promise<T>): Promise<T> => {
    try {
      return await deed()
    } catch (error) {
      throw explainFault(error, name)
    }
  }
  const provider = await told(() => providerOf(server, open, needs))
  const source = new OAuthTokenSource(provider, server.url, needs.fetch)
  const person = provider instanceof PersonProvider ? provider : undefined

  async function challenge(given: Challenge): Promise<boolean> {
    if (wantsPassword(given.wwwAuthenticate))
      throw new Failed(
        'sign-in-needed',
        `${name} asks for a user name and a password. Enter them under Authentication.`,
        { wants: 'basic' },
      )
    try {
      return await source.challenge(given)
    } catch (error) {
      if (!person || !QUESTIONS.has(oauthErrorOf(error)?.fault)) throw error
      return person.asking(() => source.challenge(given))
    }
  }

  async function remember({ status, wwwAuthenticate = '' }: Challenge): Promise<void> {
    if (wwwAuthenticate.length > MAX_CHALLENGE) return
    await needs.secrets.seal(challengeId(id), JSON.stringify({ status, wwwAuthenticate }))
  }

  return {
    token: () => told(() => source.token()),
    sign: (method, url, token) => source.sign(method, url, token),
    answered: (response, url) => source.answered(response, url),
    challenge: (given) =>
      told(async () => {
        if (person) person.offer = undefined
        try {
          return await challenge(given)
        } catch (error) {
          if (person?.offer) await remember(given)
          throw error
        }
      }),
    offer: (): SignInOffer | undefined => person?.offer,
  }
}
