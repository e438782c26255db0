import { failure, type FailureDetails, guard, MCPError, quote, type Reason } from '../errors.ts'
import type { JsonObject, JsonRpcNotification } from '../jsonrpc.ts'
import { backoffMs, mayRepeat, pause } from '../transport/retry-law.ts'
import { capabilitiesOf, type Connection, type RequestOptions } from './connection.ts'

/** What the parts of the client say of a request besides what its caller says. */
export interface OwnOptions extends RequestOptions {
  headers?: Record<string, string> | undefined
  /** Gets the text of the answer. */
  ontext?: ((text: string) => void) | undefined
  onacknowledged?: (() => void) | undefined
}

const NEVER = new AbortController().signal

/** Asks the server; a read whose answer was lost is asked again, under a new id. */
export async function request(
  connection: Connection,
  method: string,
  params?: JsonObject,
  options: OwnOptions = {},
): Promise<JsonObject> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await requestOnce(connection, method, params, options)
    } catch (error) {
      const { maxRetries = 3 } = connection.config
      const lost = error instanceof MCPError && error.reason === 'network' && error.lost
      if (!lost || !error.repeatable || attempt >= maxRetries || connection.closed) throw error
      await pause(backoffMs(attempt, { baseMs: 250, capMs: 20_000 }), options.signal ?? NEVER)
    }
  }
}

/** Sends one request and waits for its one answer, bounded in time. */
export function requestOnce(
  connection: Connection,
  method: string,
  params: JsonObject | undefined,
  options: OwnOptions,
): Promise<JsonObject> {
  const { transport, pending, era, config, place } = connection
  const { signal, onProgress, headers, ontext } = options
  const { timeout = 60_000, maxTotalTimeout = 600_000 } = { ...config.requestOptions, ...defined(options) }
  const repeatable = options.repeatable ?? mayRepeat(method)
  const id = connection.nextId++
  let meta = (connection.meta ??= era.meta({
    clientInfo: connection.clientInfo,
    capabilities: capabilitiesOf(connection),
    logLevel: connection.logLevel,
  }))
  if (onProgress) meta = { ...meta, progressToken: id }
  // Whatever repeats the bytes of a call below us repeats this too, so that a server can tell.
  if (method === 'tools/call') meta = { ...meta, 'switchboard/callId': `${connection.nonce}-${id}` }
  if (meta) params = { ...params, _meta: { ...(params?.['_meta'] as JsonObject | undefined), ...meta } }

  const failed = (text: string, reason: Reason, details: FailureDetails): MCPError =>
    failure(place, { method, params }, text, reason, { ...details, repeatable })

  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error)
    const abort = new AbortController()
    const began = performance.now()
    const end = began + maxTotalTimeout
    let idleUntil = began + timeout
    let timer: ReturnType<typeof setTimeout> | undefined

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
      if (!era.stateless && method !== 'initialize') {
        const reason = error instanceof MCPError ? 'timed out' : 'aborted'
        notify(connection, 'notifications/cancelled', { requestId: id, reason }).catch(() => {})
      }
    }
    const onabort = (): void => leave(signal?.reason)
    const check = (): void => {
      const now = performance.now()
      const until = Math.min(idleUntil, end)
      if (now + 1 < until) timer = setTimeout(check, until - now)
      else leave(failed(`had no answer after ${Math.round(now - began)} ms`, 'timeout', { lost: true }))
    }

    pending.set(id, {
      onacknowledged: options.onacknowledged,
      onprogress:
        onProgress &&
        ((progress) => {
          idleUntil = performance.now() + timeout
          guard(config.onUncaughtError, onProgress as (progress: unknown) => void, progress)
        }),
      fail(error) {
        settled()
        reject(error)
      },
      settle(answer, extra) {
        settled()
        if ('result' in answer) {
          try {
            era.check(method, answer.result)
          } catch (cause) {
            return reject(failed(`was answered with ${(cause as Error).message}`, 'protocol', { cause, lost: true }))
          }
          ontext?.(extra?.text ?? '')
          return resolve(answer.result)
        }
        if (extra?.failure) return reject(extra.failure)
        const { code, message, data } = answer.error
        const text = transport.redact?.(quote(message)) ?? quote(message)
        reject(failed(`failed: ${text}`, 'rpc', { code, data, statusCode: extra?.statusCode }))
      },
    })
    if (timeout < Infinity) timer = setTimeout(check, Math.min(timeout, maxTotalTimeout))
    signal?.addEventListener('abort', onabort)
    transport
      .send(
        { jsonrpc: '2.0', id, method, ...(params && { params }) },
        {
          signal: abort.signal,
          requestSignal: abort.signal,
          repeatable,
          headers,
          onactivity(waitMs) {
            idleUntil = performance.now() + timeout + waitMs
          },
        },
      )
      .catch((error: unknown) => {
        if (!pending.has(id)) return
        settled()
        reject(error as Error)
      })
  })
}

/** Without the keys that say nothing, so that they do not hide a default. */
function defined({ timeout, maxTotalTimeout }: RequestOptions): Pick<RequestOptions, 'timeout' | 'maxTotalTimeout'> {
  return { ...(timeout !== undefined && { timeout }), ...(maxTotalTimeout !== undefined && { maxTotalTimeout }) }
}

export function notify({ transport }: Connection, method: string, params?: JsonObject): Promise<void> {
  const message: JsonRpcNotification = { jsonrpc: '2.0', method, ...(params && { params }) }
  return transport.send(message)
}
