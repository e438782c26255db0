import { closingSignal } from '../closing-signal.ts'
import { guard } from '../errors.ts'
import { satisfies } from './authorize.ts'
import { forgetsSession, readErrorBody } from './judge-refusal.ts'
import { asFailure } from './describe-failure.ts'
import type { About, HttpLink } from './http-link.ts'
import { renewSession } from './renew-session.ts'
import { follow } from './resume-stream.ts'
import { takeStreamSlot } from './stream-slots.ts'

/** How long a server may take to say that it has a stream. */
const HEAD_MS = 1000
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
  const closing = closingSignal(link)
  if (link.legacy) return opened() // such a server has one stream for everything, and it stands
  const release = await takeStreamSlot(new URL(options.url).origin, closing, opened)
  // A new session has a stream of its own: the old one is left, and with it what was read of it.
  let renewed = true
  while (renewed && !link.closed) {
    renewed = false
    const round = new AbortController()
    const off = link.on('session', (event) => {
      renewed ||= event.renewed
      if (renewed) round.abort()
    })
    await listenOnce(link, AbortSignal.any([closing, round.signal]), opened).catch((error: unknown) => {
      if (!renewed && !link.closed) guard(undefined, link.onerror, asFailure(link, GET, error))
    })
    off()
  }
  opened()
  release()
}

/** The stream of one session, until the server has none or the signal aborts. */
async function listenOnce(link: HttpLink, signal: AbortSignal, opened: () => void): Promise<void> {
  const stream = link.streamFor()
  stream.idleMs = link.options.streamIdleMs
  let mended = false
  const read = async (response: Response): Promise<boolean> => {
    opened()
    mended = false
    await stream.read(response, () => false)
    return signal.aborted
  }
  const mend = async (
    response: Response | undefined,
    sessionId: string | undefined,
    text: string,
  ): Promise<boolean> => {
    opened()
    if (mended || !response) return false
    if (!sessionId || !forgetsSession(response.status, readErrorBody(text)?.error)) {
      mended = true
      return satisfies(link, response)
    }
    if (sessionId === link.sessionId) link.expired = true
    // That no new session can be made now is no reason to give up: the next round tries again.
    if (link.expired)
      await renewSession(link, GET).then(
        () => (mended = true),
        () => {},
      )
    stream.lastId = undefined
    return true
  }
  await follow(link, stream, signal, Infinity, read, mend)
}
