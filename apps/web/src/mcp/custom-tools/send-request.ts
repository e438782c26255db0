import { Failed } from '#domain/failure.ts'
import type { FilledRequest } from '#domain/fill-request.ts'
import type { Route } from '../companion-route.ts'
import type { Pace } from '../pace-requests.ts'
import { unsent } from '../relay-answers.ts'

export const MAX_ANSWER_BYTES = 16 << 20
const LONGEST_PAUSE_MS = 10_000
const FIRST_PAUSE_MS = 250

/** What came back, read to its end. */
export interface Answer {
  status: number
  /** What it says it is; a claim. */
  type: string
  bytes: Uint8Array<ArrayBuffer>
}

export interface Sending {
  /** Of the tool, for words. */
  name: string
  /** Where the request goes: to its address, or to the companion that passes it on. */
  route: Route
  timeoutMs: number
  /** How often a request that may be repeated is sent again. */
  retries: number
  isRelayed: boolean
  appOrigin: string
  fetch: (url: string, init: RequestInit) => Promise<Response>
  pace: Pace | undefined
  signal: AbortSignal
  /** It is still at work, and may be silent for so long. */
  onactivity: (waitMs: number) => void
}

/** A read may be sent again. Whatever else was sent may have been done, whether its answer came or not. */
const mayRepeat = ({ method }: FilledRequest): boolean => method === 'GET'

/** Answers after which a read is worth another try. */
const isPassing = (status: number): boolean => [429, 502, 503, 504].includes(status)

/**
 * Sends a request and reads its answer. At most once, but for a read, which is sent again where its answer was lost or the
 * server asks for patience. Rejects with `Failed`.
 */
export async function sendRequest(request: FilledRequest, sending: Sending): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    const isLast = attempt >= sending.retries || !mayRepeat(request)
    try {
      const { answer, retryAfterMs } = await sendOnce(request, sending)
      if (isLast || !isPassing(answer.status)) return answer
      await pause(attempt, sending, retryAfterMs)
    } catch (error) {
      sending.signal.throwIfAborted()
      if (isLast || !(error instanceof Lost)) throw error instanceof Lost ? error.failed : error
      await pause(attempt, sending)
    }
  }
}

/** Its answer did not come, or not whole. */
class Lost extends Error {
  readonly failed: Failed
  constructor(failed: Failed) {
    super(failed.message)
    this.failed = failed
  }
}

async function sendOnce(
  request: FilledRequest,
  sending: Sending,
): Promise<{ answer: Answer; retryAfterMs?: number | undefined }> {
  const { name, route, timeoutMs, signal, pace, onactivity } = sending
  const fetch = route.through?.(sending.fetch) ?? sending.fetch
  const { host } = new URL(request.url)
  // Nothing leaves while offline; afterwards nobody could tell.
  if (globalThis.navigator?.onLine === false)
    throw new Failed('no-network', `${name} was not called: there is no network.`)
  await pace?.turn(signal, onactivity)
  onactivity(0)
  const late = AbortSignal.timeout(timeoutMs)
  let response: Response
  let bytes: Uint8Array<ArrayBuffer> | undefined
  try {
    response = await fetch(route.url, {
      method: request.method,
      headers: { accept: 'application/json, text/*;q=0.9, */*;q=0.5', ...route.headers },
      ...(request.body !== undefined && { body: request.body }),
      // A redirect would take headers and arguments to whom nobody named.
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.any([signal, late]),
    })
    if (response.type !== 'opaqueredirect' && !isRedirect(response.status)) bytes = await readBytes(response)
  } catch (error) {
    signal.throwIfAborted()
    const told = unsent(error)
    if (told) throw new Lost(told)
    if (!late.aborted) throw new Lost(lostAnswer(request, sending))
    throw timedOut(request, sending)
  }
  if (response.type === 'opaqueredirect' || isRedirect(response.status))
    throw new Failed(
      'tool-failed',
      `${host} sends ${name} elsewhere, and it was not followed: enter the final address.`,
    )
  if (!bytes)
    throw new Failed(
      'bad-result',
      `${name} ran. Its answer was over ${MAX_ANSWER_BYTES >> 20} MiB and was thrown away: ask it for less.`,
    )
  const retryAfterMs = secondsIn(response.headers.get('retry-after'))
  return { answer: { status: response.status, type: response.headers.get('content-type') ?? '', bytes }, retryAfterMs }
}

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status)

const secondsIn = (header: string | null): number | undefined =>
  header !== null && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined

/** The body to its end; undefined where it is larger than anything that is wanted, and the rest is left. */
async function readBytes({ body }: Response): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = body?.getReader()
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    size += next.value.length
    if (size > MAX_ANSWER_BYTES) {
      void reader?.cancel().catch(() => {})
      return undefined
    }
    chunks.push(next.value)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

function timedOut(request: FilledRequest, { name, timeoutMs }: Sending): Failed {
  const { host } = new URL(request.url)
  const seconds = timeoutMs / 1000
  return mayRepeat(request)
    ? new Failed('timeout', `No answer from ${host} after ${seconds} s.`)
    : new Failed(
        'outcome-unknown',
        `No answer from ${host} after ${seconds} s. ${name} may have run: check before you run it again.`,
      )
}

/** A browser does not tell a server that is down from one that forbids it to ask. */
function lostAnswer(request: FilledRequest, { name, isRelayed, appOrigin }: Sending): Failed {
  const { host, origin } = new URL(request.url)
  const advice = isRelayed
    ? ' Does the companion still run? Start it: npm start.'
    : origin === appOrigin
      ? ''
      : ` If it runs, it may forbid pages of ${appOrigin} to ask it (CORS): let it allow them, or reach it through the companion.`
  return mayRepeat(request)
    ? new Failed('tool-failed', `No answer from ${host}.${advice}`)
    : new Failed(
        'outcome-unknown',
        `The connection to ${host} broke before an answer was there. ${name} may have run: check before you run it again.${advice}`,
      )
}

async function pause(attempt: number, { signal, onactivity }: Sending, askedMs?: number): Promise<void> {
  const waitMs = Math.min(askedMs ?? Math.random() * FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS)
  onactivity(waitMs)
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, waitMs)
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
  })
}
