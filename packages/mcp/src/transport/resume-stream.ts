import { MCPError } from '../errors.ts'
import { quote } from '../failure.ts'
import { satisfies } from './authorize.ts'
import { failureOf, quoteBody } from './describe-failure.ts'
import type { EventStream } from './event-stream.ts'
import { getHeaders } from './get-headers.ts'
import type { Exchange, HttpLink } from './http-link.ts'
import { isStream } from './is-stream.ts'
import { readText } from './read-text.ts'
import { typeOf } from './response.ts'
import { backoffMs, pause } from './retry-law.ts'

/** How many events of the connections before are remembered. */
const MEMORY = 10_000

/** What the server sent holds no answer: a stream goes on where it can, all else is a failure. */
export async function withoutAnswer(
  link: HttpLink,
  exchange: Exchange,
  response: Response,
  stream: EventStream | undefined,
  text: string,
): Promise<void> {
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
  const status = await follow(link, stream, abort.signal, link.options.reconnects, read, mend)
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
  let status = 0
  for (let tries = 0, first = !stream.lastId; tries < bound; first = false) {
    if (!first) await pause(pauseMs(stream, tries, backoffMs(tries++, link.options.backoff)), signal)
    if (link.renewing) await link.renewing.catch(() => {})
    const { lastId, messages } = stream
    stream.earlier = new Set([...(stream.earlier ?? []), ...stream.seen].slice(-MEMORY))
    stream.seen = new Set()
    const { sessionId } = link
    const began = Date.now()
    const response = await link.fetch('GET', getHeaders(link, lastId), signal).catch((error: unknown) => {
      if (error instanceof MCPError || signal.aborted) throw error
      return undefined
    })
    status = response?.status ?? 0
    if (response && isStream(response)) {
      if (await read(response)) return 0
      // A server may let us poll for hours at a decent pace; only what brings nothing at once counts.
      const polled = stream.lastId !== lastId && (stream.retryMs ?? 0) >= 1000
      if (polled || stream.messages > messages || Date.now() - began > 10_000) tries = 0
    } else {
      const text = response ? await readText(response, 65_536).catch(() => '') : ''
      const passing = !response || status === 409 || status === 429 || status > 499
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
