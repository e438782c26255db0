import { lookup } from 'node:dns/promises'
import { Readable } from 'node:stream'
import { failed, json, nothingHere, SAFE_HEADERS } from '../answers.ts'
import { errorAnswer } from '../bridge/json-rpc.ts'
import { Refused } from '../bridge/refused.ts'
import { type GuardRules, refusal } from '../guard.ts'
import { guest, KNOWN, type Site } from '../listen.ts'
import { forward, type Resolve } from './forward.ts'
import { judgeTarget, type Target } from './judge-target.ts'
import { outcomeOf } from './outcome.ts'
import { EXPOSED, RELAY_ERROR_HEADER, requestHeaders, responseHeaders } from './relay-headers.ts'
import type { RelayOrigins } from './relay-origins.ts'
import type { Upstream } from './recorded-answer.ts'
import { createSentCalls } from './sent-calls.ts'

const PREFIX = '/relay/'
const METHODS = ['GET', 'POST', 'DELETE']

/** For a copy of a call whose answer is no longer there. */
const REPEATED = 'This call was sent already, and its answer is lost. It may have run: check before running it again'

export const resolveByDns: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address)

/**
 * Reaches servers that forbid browsers, for the app and on another origin than the app's: what a stranger's server
 * sends can then be no part of the app.
 */
export function createRelay(rules: GuardRules, origins: RelayOrigins, resolve: Resolve = resolveByDns): Site {
  const sent = createSentCalls()

  const pass = async (target: Target, request: Request, gone: AbortSignal): Promise<Response> => {
    const { method } = request
    const body = method === 'POST' ? new Uint8Array(await request.arrayBuffer()) : undefined
    const sending = { method, headers: requestHeaders(request.headers), body }
    const ask = async (signal: AbortSignal): Promise<Upstream> => {
      const answer = await forward(target, { ...sending, signal }, resolve)
      // What becomes of its body is told to whoever reads it.
      answer.on('error', () => {})
      const { statusCode: status = 502, headers } = answer
      if (status < 300 || status >= 400)
        return { head: { status, headers: { ...SAFE_HEADERS, ...responseHeaders(headers) } }, body: answer }
      answer.destroy()
      throw new Redirected(target.url.origin, status)
    }
    const call = sent.enter(target.url.href, body, ask)
    if (!call) return toResponse(await ask(gone))
    if (!call.answer.isWhole) return json(errorAnswer(call.id, -32603, REPEATED))
    try {
      const response = await call.answer.attach(gone)
      if (response.status >= 400) sent.forget(call)
      return response
    } catch (error) {
      if (error instanceof Redirected || (error instanceof Refused && wasNotSent(error))) sent.forget(call)
      throw error
    }
  }

  const cors = (response: Response, origin: string | null): Response => {
    if (origin === null || !rules.origins.includes(origin)) return response
    response.headers.set('access-control-allow-origin', origin)
    response.headers.set('access-control-expose-headers', EXPOSED)
    response.headers.set('vary', 'origin')
    return response
  }

  return {
    admit(request, path) {
      const { method, headers } = request
      // A browser asks first, and without the token.
      const access = method === 'OPTIONS' ? 'open' : 'token'
      const why = refusal(method, headers, access, rules)
      if (why) return cors(failed(why.status, why.words), headers.get('origin'))
      if (!path.startsWith(PREFIX)) return cors(nothingHere(), headers.get('origin'))
      return access === 'token' ? KNOWN : guest()
    },
    async answer(request, path, gone) {
      const origin = request.headers.get('origin')
      if (request.method === 'OPTIONS') return cors(preflight(request.headers), origin)
      if (!METHODS.includes(request.method)) return cors(failed(405, `The relay passes ${METHODS.join(', ')}.`), origin)
      try {
        return cors(await pass(judgeTarget(path.slice(PREFIX.length), origins), request, gone), origin)
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        return cors(failed(error.status, error.message, { [RELAY_ERROR_HEADER]: relayErrorOf(error) }), origin)
      }
    },
  }
}

class Redirected extends Refused {
  constructor(origin: string, status: number) {
    super(
      502,
      `${origin} redirects to another address (HTTP ${status}). The relay follows no redirect: enter the address it leads to.`,
    )
  }
}

const wasNotSent = (error: Refused): boolean =>
  error.status === 403 || ['dns', 'private', 'refused', 'tls'].includes(outcomeOf(error))

function toResponse({ head: { status, headers }, body }: Upstream): Response {
  const hasBody = ![204, 205, 304].includes(status)
  if (!hasBody && body instanceof Readable) body.resume()
  const stream = hasBody && body instanceof Readable ? (Readable.toWeb(body) as ReadableStream<Uint8Array>) : null
  return new Response(stream, { status, headers })
}

/** `not-allowed`: the relay is not turned on for this server, or the address is one that it never reaches. */
const relayErrorOf = (error: Refused): string =>
  error instanceof Redirected
    ? 'redirect'
    : error.status < 500 && error.cause === undefined
      ? 'not-allowed'
      : outcomeOf(error)

const preflight = (headers: Headers): Response =>
  new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': METHODS.join(', '),
      'access-control-allow-headers': headers.get('access-control-request-headers') ?? '',
      'access-control-max-age': '600',
    },
  })
