import { guard, MCPError } from '../errors.ts'
import { quote } from '../failure.ts'
import { failureOf } from './describe-failure.ts'
import type { About, HttpLink } from './http-link.ts'
import { redact } from './redact.ts'
import { unlessAborted } from './retry-law.ts'

/** A server that does not answer `initialize` must not keep every later call waiting. */
const RENEW_MS = 30_000

let renewals = 0

/** One new session, however many requests find the old one gone. */
export function renewSession(link: HttpLink, about: About & { abort?: AbortController }): Promise<void> {
  link.renewing ??= beginAnew(link)
    .catch((cause: unknown) => {
      throw failureOf(link, about, 'lost its session, and no new one could be made', 'session-expired', { cause })
    })
    .finally(() => {
      link.renewing = undefined
    })
  return unlessAborted(link.renewing, about.abort?.signal)
}

async function beginAnew(link: HttpLink, mayRepeat = true): Promise<void> {
  const { sessionId, initialize } = link
  if (sessionId) guard(link.onerror, link.options.onSessionExpired, sessionId)
  link.setSession(undefined)
  if (!initialize) throw new TypeError('This transport did not begin the session')
  // An id of our own: the client never sees this exchange, and none of its ids may be used twice.
  const signal = AbortSignal.timeout(RENEW_MS)
  const exchange = await link.ask({ ...initialize, id: `renew-${++renewals}` }, { signal })
  const { answer, extra } = exchange ?? {}
  link.initialize = initialize
  if (!answer || 'error' in answer)
    throw extra?.failure ?? new MCPError(quote(redact(link, String(answer?.error.message))), 'rpc')
  link.setProtocolVersion(String(answer.result['protocolVersion']))
  try {
    await link.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  } catch (error) {
    // Lost at once, as where a server starts anew: nobody has used it, so another harms nobody.
    if (mayRepeat && /^40[04]$/.test(String((error as MCPError).statusCode))) return beginAnew(link, false)
    throw error
  }
  link.expired = false
  link.emit('session', { sessionId: link.sessionId, renewed: true })
}
