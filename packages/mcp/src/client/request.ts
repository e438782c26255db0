import { type FailureDetails, failure, guard, MCPError, quote, type Reason } from '../errors.ts'
import type { JsonObject } from '../jsonrpc.ts'
import { backoffMs, mayRepeat, pause } from '../transport/retry-law.ts'
import { capabilitiesOf, type Connection, onDemand, type RequestOptions } from './connection.ts'

/** What the parts of the client say of a request besides what its caller says. */
export interface OwnOptions extends RequestOptions {
  headers?: Record<string, string> | undefined
  /** Gets the text of the answer. */
  ontext?: ((text: string) => void) | undefined
  onacknowledged?: (() => void) | undefined
}

/** More rounds of questions than any honest tool needs. */
const MAX_ROUNDS = 8
const RETRIES = { maxRetries: 3, backoff: { baseMs: 250, capMs: 20_000 } }

/** Asks the server. Answers what it asks back; a read whose answer was lost is asked again, under a new id. */
export async function request(
  connection: Connection,
  method: string,
  params?: JsonObject,
  options: OwnOptions = {},
): Promise<JsonObject> {
  const { config, transport, closing, place, era } = connection
  const { signal = closing.signal, maxTotalTimeout = config.requestOptions?.maxTotalTimeout ?? 600_000 } = options
  const { maxRetries, backoff } = transport.options ?? RETRIES
  const end = performance.now() + maxTotalTimeout
  let answers: JsonObject | undefined
  let losses = 0
  for (let round = 0; ; round++) {
    let questions: unknown
    let state: unknown
    let refusal: MCPError | undefined
    try {
      const result = await requestOnce(connection, method, answers ? { ...params, ...answers } : params, options, end)
      if (!era.stateless || result['resultType'] !== 'input_required') {
        // What came by questions belongs to this call alone: nobody may keep it.
        if (round > 0) delete result['ttlMs']
        return result
      }
      questions = result['inputRequests']
      state = result['requestState']
    } catch (error) {
      if (!(error instanceof MCPError)) throw error
      // A server of the session era wants addresses visited before it runs the tool.
      if (error.code === -32042 && connection.elicit) refusal = error
      else {
        if (error.reason !== 'network' || !error.lost || !error.repeatable || losses >= maxRetries) throw error
        await pause(backoffMs(losses++, backoff), AbortSignal.any([signal, closing.signal]))
        round--
        continue
      }
    }
    const failed = (text: string, reason: Reason): MCPError => failure(place, { method, params }, text, reason)
    if (round >= MAX_ROUNDS) throw failed(`asked back over ${MAX_ROUNDS} times`, 'limit')
    const { answerQuestions } = await onDemand()
    const inputResponses = await answerQuestions(connection, questions, signal, refusal).catch((error: unknown) => {
      throw error instanceof TypeError
        ? failed(`asks for ${error.message}, which this client does not offer`, 'protocol')
        : error
    })
    answers = refusal ? undefined : { inputResponses, ...(state !== undefined && { requestState: state }) }
  }
}

/** Sends one request and waits for its one answer, bounded in time. */
export function requestOnce(
  connection: Connection,
  method: string,
  params: JsonObject | undefined,
  options: OwnOptions,
  end = Infinity,
): Promise<JsonObject> {
  const { transport, pending, era, config, place } = connection
  const { signal, onProgress, headers, repeatable = mayRepeat(method) } = options
  const { timeout = config.requestOptions?.timeout ?? 60_000 } = options
  const id = connection.nextId++
  let meta = (connection.meta ??= era.meta({
    clientInfo: connection.clientInfo,
    capabilities: capabilitiesOf(connection),
    logLevel: connection.logLevel,
  }))
  if (onProgress) meta = { ...meta, progressToken: id }
  // Whatever repeats the bytes of a call below us repeats this too, so that a server can tell.
  if (method === 'tools/call') meta = { ...meta, 'switchboard/callId': `${connection.nonce}-${id}` }
  if (meta) params = { ...params, _meta: meta }

  return new Promise((resolve, reject) => {
    const abort = new AbortController()
    const began = performance.now()
    let idleUntil = began + timeout
    let timer: ReturnType<typeof setTimeout> | undefined

    const failed = (text: string, reason: Reason, details?: FailureDetails): MCPError =>
      failure(place, { method, params }, text, reason, { ...details, repeatable })
    const settled = (): void => {
      clearTimeout(timer)
      pending.delete(id)
      signal?.removeEventListener('abort', onabort)
    }
    /** Stops waiting, and tells the server. */
    const leave = (error: unknown): void => {
      settled()
      abort.abort()
      reject(error as Error)
      if (!era.stateless && method !== 'initialize')
        notify(connection, 'notifications/cancelled', { requestId: id }).catch(() => {})
    }
    const onabort = (): void => leave(signal?.reason)
    const check = (): void => {
      const now = performance.now()
      const until = Math.min(idleUntil, end)
      if (now + 1 < until) timer = setTimeout(check, until - now)
      else leave(failed(`had no answer after ${Math.round(now - began)} ms`, 'timeout', { lost: true }))
    }
    const onactivity = (waitMs: number): void => {
      idleUntil = performance.now() + timeout + waitMs
    }

    if (signal?.aborted) return reject(signal.reason as Error)
    signal?.addEventListener('abort', onabort)
    if (timeout < Infinity) timer = setTimeout(check, Math.min(timeout, end - began))
    pending.set(id, {
      onacknowledged: options.onacknowledged,
      onprogress:
        onProgress &&
        ((progress) => {
          onactivity(0)
          guard(config.onUncaughtError, onProgress as (progress: unknown) => void, progress)
        }),
      settle(answer, extra) {
        settled()
        if ('error' in answer) {
          const { code, message, data } = answer.error
          const text = `failed: ${transport.redact?.(quote(message)) ?? quote(message)}`
          return reject(extra?.failure ?? failed(text, 'rpc', { code, data, statusCode: extra?.statusCode }))
        }
        if (!era.allows(method, answer.result))
          return reject(failed('got a result of an unknown type', 'protocol', { lost: true }))
        options.ontext?.(extra?.text ?? '')
        resolve(answer.result)
      },
    })
    const sent = transport.send(params ? { jsonrpc: '2.0', id, method, params } : { jsonrpc: '2.0', id, method }, {
      signal: abort.signal,
      repeatable,
      headers,
      onactivity,
    })
    sent.catch((error: unknown) => {
      settled()
      reject(error as Error)
    })
  })
}

export function notify({ transport }: Connection, method: string, params?: JsonObject): Promise<void> {
  return transport.send(params ? { jsonrpc: '2.0', method, params } : { jsonrpc: '2.0', method })
}
