import { asMessage, type JsonRpcError, parseJson } from '../jsonrpc.ts'
import { satisfies } from './authorize.ts'
import { failureOf, quoteBody } from './describe-failure.ts'
import type { Exchange, HttpLink } from './http-link.ts'
import { openLegacy } from './legacy-sse.ts'
import { readText } from './read-text.ts'
import { backoffMs, pause, retryAfterMs, wasMisdirected, wasNotSent, wasRedirected } from './retry-law.ts'

/** Waits for the next attempt if there may be one. */
async function mayTryAgain(
  link: HttpLink,
  exchange: Exchange,
  afterMs: number | undefined,
  reason: string,
): Promise<boolean> {
  const { maxRetries, backoff } = link.options
  const { attempts, message, options, abort } = exchange
  const waitMs = afterMs ?? backoffMs(attempts - 1, backoff)
  if (attempts > maxRetries || waitMs > 60_000 || link.budget < 5) return false
  link.budget -= 5
  link.emit('retry', { method: message.method, attempt: attempts, waitMs, reason })
  options.onactivity?.(waitMs)
  await pause(waitMs, abort.signal)
  return true
}

/**
 * Whether a request that failed without an answer is sent again: what certainly did not leave; what was redirected and may
 * be sent twice, to see where it leads; and what was refused as misdirected, which Node repeats by itself, if it has a copy.
 */
export async function sendAgain(link: HttpLink, exchange: Exchange, error: unknown): Promise<boolean> {
  const redirected = wasRedirected(error)
  if (redirected || wasMisdirected(error)) {
    link.redirect = 'manual'
    if (exchange.unveiled) return false
    exchange.unveiled = true
    return !redirected || exchange.repeatable
  }
  return wasNotSent(error) && mayTryAgain(link, exchange, undefined, 'network')
}

/** The server does not know our session any more. The specification says 404; the official server says 400. */
export function forgetsSession(status: number, error: { code: number; message: string } | undefined): boolean {
  return status === 404 || (status === 400 && error?.code === -32000 && /session|not initialized/i.test(error.message))
}

/** What follows from an HTTP error: true to send again, false when it holds the answer, else it throws the failure. */
export async function judgeRefusal(
  link: HttpLink,
  exchange: Exchange,
  response: Response,
  sessionId: string | undefined,
): Promise<boolean> {
  const { message, stateless, repeatable, attempts } = exchange
  const { status, headers } = response
  const begins = message.method === 'initialize'
  const text = await readText(response, 65_536).catch(() => '')
  const refusal = readErrorBody(text)
  const waitMs = retryAfterMs(headers.get('retry-after'))
  const details = { statusCode: status, url: link.place, retryAfterMs: waitMs, lost: status > 499 }
  if (status < 400) {
    if (followsRedirect(link, headers.get('location') ?? '', status, attempts)) return true
    const to = redirectTarget(link, headers.get('location') ?? '')
    throw failureOf(link, exchange, `redirects to ${to}: use that url if you trust it`, 'redirect', details)
  }
  try {
    if (await satisfies(link, response, exchange)) return true
    if (status === 401) throw failureOf(link, exchange, 'needs authorization (HTTP 401)', 'unauthorized', details)
  } catch (error) {
    exchange.unauthorized = true
    throw error
  }
  if (sessionId && !stateless && !begins && forgetsSession(status, refusal?.error)) {
    if (exchange.renewed) throw failureOf(link, exchange, 'lost its session twice', 'session-expired', details)
    if (sessionId === link.sessionId) link.expired = true
    return (exchange.renewed = true)
  }
  // A 429 is a refusal before anything ran; the 5xx of a gateway is not.
  const busy = status === 429
  const again = repeatable ? busy || (status > 501 && status < 505) : busy && attempts === 1 && waitMs !== undefined
  if (again && (await mayTryAgain(link, exchange, waitMs, `HTTP ${status}`))) return true
  if (begins && !refusal && /^40[045]$/.test(`${status}`) && (await openLegacy(link, exchange).catch(() => false))) {
    return (link.legacy = true)
  }
  if (!refusal || busy)
    throw failureOf(link, exchange, `failed with HTTP ${status}${quoteBody(link, text)}`, 'http', details)
  exchange.answer = { ...refusal, id: message.id }
  exchange.extra = { statusCode: status }
  return false
}

/** Takes the new address unless the caller forbids it, or another origin would receive our headers. */
function followsRedirect({ options }: HttpLink, location: string, status: number, attempts: number): boolean {
  const { url, redirect } = options
  if (redirect === 'error' || status < 307 || attempts > 3 || !URL.canParse(location, url)) return false
  const target = new URL(location, url)
  if (target.origin !== new URL(url).origin) return false
  options.url = target.href
  return true
}

/** Where a redirect leads, without what might be secret in it. */
function redirectTarget({ options }: HttpLink, location: string): string {
  if (!location || !URL.canParse(location, options.url)) return 'another address'
  const { protocol, host, pathname } = new URL(location, options.url)
  return `${protocol}//${host}${pathname}`
}

/** A JSON-RPC error in the body of an HTTP error, or undefined. */
export function readErrorBody(text: string): JsonRpcError | undefined {
  try {
    const message = asMessage(parseJson(text))
    return message !== undefined && 'error' in message ? message : undefined
  } catch {
    return undefined
  }
}
