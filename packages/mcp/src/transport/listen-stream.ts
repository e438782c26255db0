import { guard } from '../errors.ts'
import { satisfies } from './authorize.ts'
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
  const { signal } = link.closing
  const { url, streamIdleMs } = link.options
  const release = await takeStreamSlot(url.origin, opened)
  const stream = link.streamFor()
  stream.idleMs = streamIdleMs
  let mended = false
  const read = async (response: Response): Promise<boolean> => {
    opened()
    mended = false
    await stream.read(response, () => false, opened)
    return signal.aborted
  }
  const mend = async (response: Response | undefined, sessionId: string | undefined): Promise<boolean> => {
    opened()
    if (mended || !response) return false
    mended = true
    if (response.status !== 404 || !sessionId) return satisfies(link, response)
    if (sessionId === link.sessionId) link.expired = true
    if (link.expired) await renewSession(link, GET)
    stream.lastId = undefined
    return true
  }
  try {
    await follow(link, stream, signal, Infinity, read, mend)
  } catch (error) {
    if (!signal.aborted) guard(undefined, link.onerror, asFailure(link, GET, error))
  }
  opened()
  release()
}
