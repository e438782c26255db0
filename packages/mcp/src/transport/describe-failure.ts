import { type FailureDetails, MCPError, type Reason } from '../errors.ts'
import { failure, quote } from '../failure.ts'
import type { JsonRpcMessage } from '../jsonrpc.ts'
import type { About, Exchange, HttpLink } from './http-link.ts'
import { redact } from './redact.ts'
import { wasNotSent, wasRedirected } from './retry-law.ts'
import { SseTooLarge } from './sse.ts'

/** A failure of the transport in words that hold no secret. */
export function failureOf(
  link: HttpLink,
  about: About,
  text: string,
  reason: Reason,
  details?: FailureDetails,
): MCPError {
  const { message, repeatable = false } = about
  return failure(link.place, message, redact(link, text), reason, { ...details, repeatable })
}

/** An HTTP error, without a look at its body. */
export const refusalOf = (link: HttpLink, about: About, { status }: Response, cause: unknown): MCPError =>
  failureOf(link, about, `failed with HTTP ${status}`, status === 401 ? 'unauthorized' : 'http', {
    statusCode: status,
    url: link.place,
    lost: status > 499,
    cause,
  })

/** What to call a message to which nothing comes back. */
export const aboutOf = (message: JsonRpcMessage): About => ({
  message: { method: 'method' in message ? message.method : 'answer' },
  repeatable: true,
})

/** Whatever was thrown on the way, in words. `lost`: the request was sent before that. */
export function asFailure(link: HttpLink, about: About, cause: unknown, lost = false): MCPError {
  const { closed, options } = link
  if (closed) return failureOf(link, about, 'was not answered: the client is closed', 'closed', { lost: true })
  if (cause instanceof MCPError)
    return cause.method && !lost
      ? cause
      : failureOf(link, about, cause.message, cause.reason, {
          statusCode: cause.statusCode,
          cause: cause.cause,
          ...(lost && { lost }),
        })
  if (cause instanceof SseTooLarge) {
    return failureOf(link, about, `was answered with over ${options.maxMessageBytes} bytes`, 'too-large', {
      lost: true,
    })
  }
  if (wasRedirected(cause))
    return failureOf(link, about, 'redirects to another address: list the tools to see it', 'redirect')
  const code = (cause as { cause?: { code?: string } } | undefined)?.cause?.code
  const blind = globalThis.location
    ? 'the server is down, or its CORS headers exclude this page'
    : 'the connection broke'
  return failureOf(link, about, `got no answer: ${code ?? blind}`, 'network', {
    lost: lost || !wasNotSent(cause),
    cause,
  })
}

/** Puts the failure in the place of the answer. */
export function answerFailure(link: HttpLink, exchange: Exchange, cause: unknown): void {
  // An answer that arrived stays one, whatever broke behind it.
  if (exchange.answer) return
  const failure = asFailure(link, exchange, cause)
  // The 2.x client looks for this name, and users of all of them for the status.
  if (exchange.unauthorized && failure.reason === 'unauthorized')
    Object.assign(failure, { name: 'UnauthorizedError', code: failure.code ?? failure.statusCode })
  // The status is what clients of others find as the code of an HTTP error with the official transport.
  const { message, data, statusCode = 0, code = statusCode > 299 ? statusCode : -32603 } = failure
  exchange.answer = {
    jsonrpc: '2.0',
    id: exchange.message.id,
    error: { code, message, ...(data !== undefined && { data }) },
  }
  exchange.extra = { failure }
}

/** A body that is no MCP, for an error message; pages and messages to others are left out. */
export function quoteBody(link: HttpLink, text: string): string {
  // Secrets first: the end of a cut one would stay.
  return /^\s*([<{[]|$)/.test(text) ? '' : `: ${quote(redact(link, text))}`
}
