import { isMCPError, MCPError } from '../errors.ts'
import type { HttpLink } from './http-link.ts'
import type { TokenSource } from './token-source.ts'

/** As long as a person may take to sign in. */
const SIGN_IN_MS = 600_000

/** The token that a refused request carried. */
const tokens = new WeakMap<Response, string | undefined>()
/** What a source is being asked, so that it is asked once however many requests are refused for the same reason. */
const challenges = new WeakMap<TokenSource, { reason: string; answer: Promise<boolean> }>()

/** Puts the token of the moment on a request; tells how to remember it with the answer. */
export async function addToken(
  link: HttpLink,
  address: string,
  init: RequestInit,
): Promise<(response: Response) => Promise<void>> {
  const { tokenSource } = link.options
  const { method = '', headers } = init
  let token: string | undefined
  try {
    // Its own: another request may bring a newer one meanwhile.
    token = link.token = await tokenSource?.token()
    if (token) {
      const signed = (await tokenSource?.sign?.(method, address, token)) ?? { authorization: `Bearer ${token}` }
      const others = Object.entries(headers ?? {}).filter(([name]) => !(name.toLowerCase() in signed))
      init.headers = { ...Object.fromEntries(others), ...signed }
    }
  } catch (cause) {
    throw new MCPError('got no token', 'unauthorized', { cause })
  }
  // A platform would quote it in its refusal.
  if (token && !/^[\x20-\x7e]+$/.test(token)) throw new MCPError('got a token that cannot be sent', 'unauthorized')
  return async (response) => {
    tokens.set(response, token)
    await tokenSource?.answered?.(response, address)
  }
}

/** Whose refusal it is: each kind is answered once, so that none goes round in circles. */
interface Refused {
  challenged?: string
  options?: { onactivity?: ((waitMs: number) => void) | undefined }
}

/**
 * Lets the token source answer a refusal: true when the request is worth sending once more. Throws why no token came, if
 * the source says it.
 */
export async function satisfies(link: HttpLink, response: Response, refused: Refused = {}): Promise<boolean> {
  const { tokenSource } = link.options
  const { status, headers } = response
  const wwwAuthenticate = headers.get('www-authenticate') ?? undefined
  // A 403 that names nothing to do about it is final.
  if (!tokenSource || (status !== 401 && !(status === 403 && wwwAuthenticate))) return false
  const kind = wwwAuthenticate?.includes('use_dpop_nonce') ? 'nonce ' : `${status} `
  const { challenged = '', options } = refused
  if (challenged.includes(kind)) {
    if (status === 401) return false
    throw new MCPError(`was refused again with the rights it asked for (HTTP ${status})`, 'unauthorized', {
      statusCode: status,
    })
  }
  refused.challenged = challenged + kind
  const token = tokens.get(response)
  // Somebody else's refusal may have brought a new token already. Whether it has the rights too, the source knows.
  const isNews = async (): Promise<boolean> => status === 401 && (await tokenSource.token()) !== token
  try {
    if (await isNews()) return true
    options?.onactivity?.(SIGN_IN_MS)
    const reason = `${status} ${wwwAuthenticate}`
    let running = challenges.get(tokenSource)
    while (running && running.reason !== reason) {
      await running.answer.catch(() => {})
      if (await isNews()) return true
      running = challenges.get(tokenSource)
    }
    if (!running) {
      const asked = tokenSource.challenge({ status, wwwAuthenticate, token })
      running = { reason, answer: asked.finally(() => challenges.delete(tokenSource)) }
      challenges.set(tokenSource, running)
    }
    const satisfied = await running.answer
    options?.onactivity?.(0)
    if (satisfied) link.emit('authorized', undefined)
    return satisfied
  } catch (cause) {
    // A source of strangers may say anything, a secret too; ours says why, and what to do.
    const why = isMCPError(cause) ? `: ${cause.message}` : ''
    throw new MCPError(`needs authorization (HTTP ${status})${why}`, 'unauthorized', { cause, statusCode: status })
  }
}
