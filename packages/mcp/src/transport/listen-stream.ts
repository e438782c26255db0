import { closingSignal } from '../closing-signal.ts'
import { guard } from '../errors.ts'
import { satisfies } from './authorize.ts'
import { forgetsSession, readErrorBody } from './judge-refusal.ts'
import { asFailure } from './describe-failure.ts'
import type { About, HttpLink } from './http-link.ts'
import { renewSession } from './renew-session.ts'
import { follow } from './resume-stream.ts'
import { backoffMs, LASTING_MS, pause, SESSION_BACKOFF } from './retry-law.ts'
import { takeStreamSlot } from './stream-slots.ts'

/** How long a server may take to say that it has a stream. */
const HEAD_MS = 1000
/** How long a server may take to answer whether the session exists. */
const PING_MS = 30_000
const GET: About = { message: { method: 'GET' }, repeatable: true }

/** The server's own stream, for as long as the transport is open. */
export async function listen(link: HttpLink, onopen: () => void): Promise<void> {
  // Some servers send no head before their first event: then the stream stands all the same.
  const timer = setTimeout(onopen, HEAD_MS)
  const opened = (): void => {
    clearTimeout(timer)
    onopen()
  }
  const { options } = link
  if (link.legacy) return opened() // such a server has one stream for everything, and it stands
  const ending = (link.listening = new AbortController())
  const closing = AbortSignal.any([closingSignal(link), ending.signal])
  const release = await takeStreamSlot(new URL(options.url).origin, closing, opened)
  for (let losses = 0; !closing.aborted; ) {
    const began = performance.now()
    if (!(await listenInSession(link, closing, opened))) break
    losses = performance.now() - began < LASTING_MS ? losses + 1 : 0
    // The first lost session is replaced at once. After that, a server that loses each new one would be asked without end.
    if (losses > 1) await pause(backoffMs(losses, SESSION_BACKOFF), closing).catch(() => {})
  }
  opened()
  release()
}

/** Reads the stream of one session. Resolves to true when a new session has begun, to false when there is no stream. */
async function listenInSession(link: HttpLink, closing: AbortSignal, opened: () => void): Promise<boolean> {
  // A new session has a stream of its own: the old one is left, and with it what was read of it.
  const round = new AbortController()
  const off = link.on('session', ({ renewed }) => {
    if (renewed) round.abort()
  })
  const signal = AbortSignal.any([closing, round.signal])
  const stream = link.streamFor()
  stream.idleMs = link.options.streamIdleMs
  let answeredChallenge = false
  const read = async (response: Response): Promise<boolean> => {
    opened()
    const began = performance.now()
    await stream.read(response, () => false)
    // A server that ends each stream at once must not have us sign in for each.
    if (performance.now() - began > 10_000) answeredChallenge = false
    return signal.aborted
  }
  const mend = async (
    response: Response | undefined,
    sessionId: string | undefined,
    text: string,
  ): Promise<boolean> => {
    opened()
    if (!response) return false
    if (sessionId && forgetsSession(response.status, readErrorBody(text)?.error))
      return replaceSession(link, sessionId, signal)
    if (answeredChallenge) return false
    answeredChallenge = true
    return satisfies(link, response)
  }
  try {
    const status = await follow(link, stream, signal, Infinity, read, mend)
    return !status && round.signal.aborted
  } catch (error) {
    if (!signal.aborted) guard(undefined, link.onerror, asFailure(link, GET, error))
    return round.signal.aborted
  } finally {
    off()
  }
}

let pings = 0

/**
 * GET was refused as if the session were gone. Servers without a stream refuse it alike, so only a POST counts: a ping, which
 * begins a new session like any request where the old one is gone. Resolves to false when there is no stream.
 */
async function replaceSession(link: HttpLink, sessionId: string, signal: AbortSignal): Promise<boolean> {
  // Another request may have found out before.
  if (sessionId === link.sessionId && !link.expired) {
    const limit = AbortSignal.any([closingSignal(link), AbortSignal.timeout(PING_MS)])
    const ping = { jsonrpc: '2.0' as const, id: `ping-${++pings}`, method: 'ping' }
    const exchange = await link.ask(ping, { signal: limit, repeatable: false })
    const { failure } = exchange?.extra ?? {}
    if (sessionId === link.sessionId && !link.expired) {
      const { reason, statusCode = 0 } = failure ?? {}
      // A server that could not be asked is asked again.
      return !exchange || reason === 'network' || statusCode === 429 || statusCode > 499
    }
    // That the new session is refused at once shows that this server says it of any session.
    if (failure && exchange?.renewed && !link.expired) return false
    if (failure && !link.initialize) throw failure
  }
  for (let tries = 1; link.expired; tries++) {
    await pause(backoffMs(tries, SESSION_BACKOFF), signal)
    if (link.expired) await renewSession(link, GET).catch(() => {})
  }
  return true
}
