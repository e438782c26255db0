import { closingSignal } from '../closing-signal.ts'
import { guard } from '../errors.ts'
import { satisfies } from './authorize.ts'
import { asFailure, failureOf } from './describe-failure.ts'
import type { About, HttpLink } from './http-link.ts'
import { discard } from './response.ts'

/** How long a server may take to end a session. */
const END_MS = 30_000
const DELETE: About = { message: { method: 'DELETE' }, repeatable: true }

/** Ends the session at the server. The next request begins a new one, if this transport began the old one. */
export async function endSession(link: HttpLink): Promise<void> {
  const { sessionId } = link
  const signal = AbortSignal.any([closingSignal(link), AbortSignal.timeout(END_MS)])
  const end = async (): Promise<Response> => {
    const response = await link.fetch('DELETE', link.sessionHeaders(), signal)
    discard(response)
    return response
  }
  try {
    let response = await end()
    if (await satisfies(link, response)) response = await end()
    const { ok, status } = response
    // A server may refuse to end sessions (405), or have forgotten this one (404).
    if (!ok && status !== 405 && status !== 404) {
      const reason = status === 401 ? 'unauthorized' : 'http'
      throw failureOf(link, DELETE, `did not end the session (HTTP ${status})`, reason, { statusCode: status })
    }
  } catch (cause) {
    const failure = asFailure(link, DELETE, cause)
    guard(undefined, link.onerror, failure)
    throw failure
  }
  // A request may have found it gone meanwhile, and begun a new one.
  if (sessionId !== link.sessionId) return
  link.listening?.abort()
  link.expired = !!link.initialize && !link.legacy
  link.setSession(undefined)
}
