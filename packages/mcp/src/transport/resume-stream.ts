import { isMCPError } from '../errors.ts'
import { quote } from '../failure.ts'
import { satisfies } from './authorize.ts'
import { asFailure, failureOf, quoteBody } from './describe-failure.ts'
import type { EventStream } from './event-stream.ts'
import { getHeaders } from './get-headers.ts'
import type { Exchange, HttpLink } from './http-link.ts'
import { isStream } from './is-stream.ts'
import { readText } from './read-text.ts'
import { typeOf } from './response.ts'
import { type Backoff, backoffMs, pause, retryAfterMs } from './retry-law.ts'

/** How many events of the connections before are remembered. */
const MEMORY = 10_000
/** A connection that ends sooner counts as brief. After this many in a row, there is one connection per second at most. */
const BRIEF_MS = 10_000
const MAX_BRIEF = 3
const FLOOR_MS = 1000

/** What the server sent holds no answer: a stream goes on where it can, all else is a failure. */
export async function withoutAnswer(
  link: HttpLink,
  exchange: Exchange,
  response: Response,
  stream: EventStream | undefined,
  text: string,
): Promise<void> {
  if (exchange.tooDeep)
    throw failureOf(link, exchange, `was answered with ${exchange.tooDeep}`, 'too-large', { lost: true })
  if (stream?.lastId && !exchange.stateless) return resume(link, exchange, stream, stream.lastId)
  exchange.options.onRequestStreamEnd?.()
  if (stream) throw failureOf(link, exchange, 'ended its answer early', 'network', { lost: true })
  const { status } = response
  const what = `was answered with no MCP message (HTTP ${status} ${quote(typeOf(response))})${quoteBody(link, text)}`
  throw failureOf(link, exchange, what, 'protocol', { statusCode: status, lost: true })
}

/** An answer's stream ended early: goes on after its last event until the answer is there, else the answer is lost. */
export async function resume(link: HttpLink, exchange: Exchange, stream: EventStream, lastId: string): Promise<void> {
  stream.lastId = lastId
  const { abort, options } = exchange
  const { resumptionToken, resumedRequestId } = options
  if (resumptionToken) exchange.takes = (id) => resumedRequestId === undefined || id === resumedRequestId
  const read = (response: Response): Promise<boolean> => link.readStream(stream, response, exchange)
  // A token may expire while a long answer is read.
  const mend = async (response: Response | undefined): Promise<boolean> =>
    response !== undefined && satisfies(link, response, exchange)
  const status = await follow(link, stream, abort.signal, link.options.reconnects, read, mend).catch(
    (cause: unknown) => {
      // The request was sent, whatever kept the rest of its answer away.
      throw asFailure(link, exchange, cause, true)
    },
  )
  if (exchange.answer) return abort.abort() // the server may keep this connection open
  options.onRequestStreamEnd?.()
  const why = status ? `: HTTP ${status}` : ''
  throw failureOf(link, exchange, `ended its answer early and does not go on${why}`, 'network', { lost: true })
}

/**
 * Connects a stream again and again, until `read` has what it waits for, or the server refuses and `mend` finds no
 * remedy: then tells the status of the refusal.
 */
export async function follow(
  link: HttpLink,
  stream: EventStream,
  signal: AbortSignal,
  bound: number,
  read: (response: Response) => Promise<boolean>,
  mend?: (response: Response | undefined, sessionId: string | undefined, text: string) => Promise<boolean>,
): Promise<number> {
  const { reconnectionOptions: backoff } = link.options
  let status = 0
  let brief = 0
  let askedMs = 0
  for (let tries = 0, first = !stream.lastId; tries < bound; first = false) {
    if (!first) {
      const ms = pauseMs(stream, tries, backoffMs(tries++, backoff))
      await pause(Math.max(ms, askedMs, brief < MAX_BRIEF ? 0 : floorMs(backoff)), signal)
    }
    askedMs = 0
    if (link.renewing) await link.renewing.catch(() => {})
    const { lastId, messages } = stream
    stream.earlier = new Set([...(stream.earlier ?? []), ...stream.seen].slice(-MEMORY))
    stream.seen = new Set()
    const { sessionId } = link
    const began = performance.now()
    const response = await link.fetch('GET', getHeaders(link, lastId), signal).catch((error: unknown) => {
      // Like a failed fetch, being offline passes. Other errors, such as a refused sign-in, are final.
      if (signal.aborted || (isMCPError(error) && error.reason !== 'network')) throw error
      return undefined
    })
    status = response?.status ?? 0
    if (response && isStream(response)) {
      if (await read(response)) return 0
      const lasted = performance.now() - began > BRIEF_MS
      brief = lasted ? 0 : brief + 1
      // A server may let us poll for hours at a decent pace; only what brings nothing at once counts.
      const polled = stream.lastId !== lastId && (stream.retryMs ?? 0) >= 1000
      if (polled || stream.messages > messages || lasted) tries = 0
    } else {
      const text = response ? await readText(response, 65_536).catch(() => '') : ''
      const passing = !response || status === 409 || status === 429 || status > 499
      askedMs = retryAfterMs(response?.headers.get('retry-after') ?? null) ?? 0
      if (!(await mend?.(response, sessionId, text)) && !passing) return status
    }
  }
  return status
}

/** How long to wait before the next connection: what the server asks, within bounds, or a growing while. */
function pauseMs({ retryMs }: EventStream, tries: number, backoff: number): number {
  if (retryMs === undefined) return backoff
  const asked = Math.min(Math.max(retryMs, 250), 30_000)
  return tries > 0 ? Math.max(asked, backoff) : asked
}

/** However much each connection brings: a server that ends them all at once is not asked more often than this. */
const floorMs = ({ capMs }: Backoff): number => Math.min(FLOOR_MS, capMs) * (1 + Math.random() / 4)
