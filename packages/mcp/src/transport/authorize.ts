import { MCPError } from '../errors.ts'
import type { HttpLink } from './http-link.ts'
import type { TokenSource } from './token-source.ts'

/** The token that a refused request carried. */
const tokens = new WeakMap<Response, string | undefined>()
/** What a source is being asked, so that it is asked once however many requests are refused. */
const challenges = new WeakMap<TokenSource, Promise<boolean>>()

/** Puts the token of the moment on a request; tells how to remember it with the answer. */
export async function addToken(link: HttpLink, init: RequestInit): Promise<(response: Response) => void> {
  try {
    link.token = await link.options.tokenSource?.token()
  } catch (cause) {
    throw new MCPError('got no token', 'unauthorized', { cause })
  }
  const { token } = link
  if (token) init.headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` }
  return (response) => void tokens.set(response, token)
}

/** Lets the token source answer a refusal: true when the request is worth sending once more. */
export async function satisfies(link: HttpLink, response: Response): Promise<boolean> {
  const { tokenSource } = link.options
  const { status, headers } = response
  const wwwAuthenticate = headers.get('www-authenticate') ?? undefined
  // A 403 that names nothing to do about it is final.
  if (!tokenSource || (status !== 401 && !(status === 403 && wwwAuthenticate))) return false
  const token = tokens.get(response)
  try {
    // Somebody else's refusal may have brought a new token already.
    if ((await tokenSource.token()) !== token) return true
    let challenge = challenges.get(tokenSource)
    if (!challenge) {
      challenge = tokenSource
        .challenge({ status, wwwAuthenticate, token })
        .finally(() => challenges.delete(tokenSource))
      challenges.set(tokenSource, challenge)
    }
    const satisfied = await challenge
    if (satisfied) link.emit('authorized', undefined)
    return satisfied
  } catch {
    return false
  }
}
