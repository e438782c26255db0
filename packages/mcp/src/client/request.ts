import { type FailureDetails, guard, must, type Reason } from '../errors.ts'
import { isObject, type JsonObject } from '../jsonrpc.ts'
import { mayRepeat } from '../transport/may-repeat.ts'
import { META_PREFIX } from '../wire/http-headers.ts'
import type { Era } from '../wire/era.ts'
import { capabilitiesOf, type Connection, fail, onDemandOr, type Pending, type RequestOptions } from './connection.ts'

/** How long a request may take in all, unless its caller says otherwise. */
export const TOTAL_MS = 600_000

/** What became of a request so far. */
export interface History {
  readonly method: string
  readonly params: JsonObject | undefined
  readonly options: OwnOptions
  /** When it must be over, whatever happens. */
  readonly end: number
  losses?: number
  rounds?: number
  /** What the next request carries besides its parameters. */
  answers?: JsonObject | undefined
}

/** What the parts of the client say of a request besides what its caller says. */
export interface OwnOptions extends RequestOptions {
  headers?: Record<string, string> | undefined
  /** Gets the text of the answer. */
  ontext?: ((text: string) => void) | undefined
  onacknowledged?: Pending['onacknowledged']
  /** The `_meta`, where it says more than the era's. */
  meta?: JsonObject | undefined
  /** Which results may answer it, where others than usual may. */
  allows?: Era['allows'] | undefined
  onwait?: (() => void) | undefined
  /** A person has to sign in first, and may take so long. */
  onsignin?: ((waitMs: number) => void) | undefined
  /** Called once, after so many milliseconds without any sign of the answer. The request goes on. */
  onquiet?: (() => void) | undefined
  quietMs?: number | undefined
}

/** Asks the server. Answers what it asks back; a read whose answer was lost is asked again, under a new id. */
export async function request(
  connection: Connection,
  method: string,
  params?: JsonObject,
  options: OwnOptions = {},
): Promise<JsonObject> {
  const { maxTotalTimeout = connection.config.requestOptions?.maxTotalTimeout ?? TOTAL_MS } = options
  const end = performance.now() + maxTotalTimeout
  let history: History | undefined
  for (;;) {
    const answers = history?.answers
    let failure: unknown
    let result: JsonObject | undefined
    try {
      result = await requestOnce(connection, method, answers ? { ...params, ...answers } : params, options, end)
      if (!connection.era.stateless || result['resultType'] !== 'input_required') {
        // What came by questions belongs to this call alone: nobody may keep it.
        if (answers) delete result['ttlMs']
        return result
      }
    } catch (error) {
      failure = error
    }
    history ??= { method, params, options, end }
    await (await onDemandOr(failure)).prepareNext(connection, history, result, failure)
  }
}

let tokens = 0

/** What the client says in `_meta` itself: a value of the caller would be taken for its word. */
const OWN_META = ['progressToken', 'protocolVersion', 'clientInfo', 'clientCapabilities', 'logLevel']

function checkMeta(meta: JsonObject): void {
  must(isObject(meta), '_meta must be an object')
  const own = OWN_META.find((name) => (name === 'progressToken' ? name : META_PREFIX + name) in meta)
  must(!own, `_meta: ${own} is set by the client; for progress give onProgress`)
}

/** Sends one request and waits for its one answer, bounded in time. */
export function requestOnce(
  connection: Connection,
  method: string,
  params: JsonObject | undefined,
  options: OwnOptions,
  end = Infinity,
): Promise<JsonObject> {
  const { transport, pending, era, config } = connection
  const {
    signal,
    onProgress,
    headers,
    repeatable = mayRepeat(method),
    timeout = config.requestOptions?.timeout ?? 30_000,
  } = options
  const usual = config.requestOptions?._meta
  const given = usual && options._meta ? { ...usual, ...options._meta } : (options._meta ?? usual)
  if (given) checkMeta(given)
  const id = connection.nextId++
  let { meta } = options
  if (era.stateless) meta ??= connection.meta ??= era.meta(connection, capabilitiesOf(connection))
  // Small, as it comes back with every notification: the id would be twice as slow to read.
  const token = onProgress ? ++tokens : 0
  if (onProgress) meta = { ...meta, progressToken: token }
  // Whatever repeats the bytes of a call below us repeats this too, so that a server can tell.
  if (method === 'tools/call') meta = { ...meta, 'switchboard/callId': `${connection.nonce}-${id}` }
  if (given) meta = { ...given, ...meta }
  if (meta) params = { ...params, _meta: meta }

  return new Promise((resolve, reject) => {
    const abort = new AbortController()
    const began = performance.now()
    let heard = began
    let { quietMs = Infinity } = options
    let stalled = false
    let progressed = false
    let timer: ReturnType<typeof setTimeout> | undefined

    const failWith = (text: string, reason: Reason, details: FailureDetails): void => {
      fail(connection, { method, params }, text, reason, { ...details, repeatable }).catch(reject)
    }
    const settled = (): void => {
      clearTimeout(timer)
      pending.delete(id)
      connection.progress.delete(token)
      signal?.removeEventListener('abort', onabort)
    }
    /** Stops waiting, and tells the server. */
    const leave = (): void => {
      settled()
      abort.abort()
      if (!era.stateless && method !== 'initialize')
        notify(connection, 'notifications/cancelled', { requestId: id }).catch(() => {})
    }
    const onabort = (): void => {
      leave()
      reject(signal?.reason as Error)
    }
    const check = (): void => {
      const now = performance.now()
      // While the user thinks about a question of the server, both sides wait.
      if (progressed || connection.inquiries.size > 0) onactivity(0)
      progressed = false
      const until = Math.min(heard + Math.min(timeout, quietMs), end)
      // A timer that is late tells of a page that stood still: what arrived meanwhile gets its turn first.
      stalled = !stalled && now - until > 50
      const waitMs = stalled ? 100 : until - now
      if (waitMs <= 1 && quietMs < timeout && until < end) {
        quietMs = Infinity
        options.onquiet?.()
        check()
      } else if (waitMs <= 1) {
        leave()
        failWith(`had no answer after ${Math.round(now - began)} ms`, 'timeout', { lost: true })
        // A longer timer would fire at once, and one without end would keep a program from ending.
      } else if (waitMs < 2e9) timer = setTimeout(check, waitMs)
    }
    const onactivity = (waitMs: number): void => {
      // So long waits only a person who signs in.
      if (waitMs > 60_000) {
        end += waitMs
        options.onsignin?.(waitMs)
      }
      heard = performance.now() + waitMs
    }

    if (signal?.aborted) return reject(signal.reason as Error)
    signal?.addEventListener('abort', onabort)
    if (onProgress) {
      connection.progress.set(token, (params) => {
        progressed = true
        guard(config.onUncaughtError, onProgress as (params: unknown) => void, params)
      })
    }
    pending.set(id, {
      onacknowledged: options.onacknowledged,
      about: { method, params },
      repeatable,
      settle(answer, extra) {
        settled()
        if ('error' in answer) {
          const { code, message, data } = answer.error
          if (extra?.failure) reject(extra.failure)
          else
            failWith(`failed: ${message}`, 'rpc', { code, serverMessage: message, data, statusCode: extra?.statusCode })
        } else if ((options.allows ?? era.allows)(method, answer.result)) {
          options.ontext?.(extra?.text ?? '')
          resolve(answer.result)
        } else failWith('got an unknown result', 'protocol', { lost: true })
      },
    })
    // What it throws instead of telling is told too.
    const send = async (): Promise<void> =>
      transport.send(
        { jsonrpc: '2.0', id, method, params },
        {
          signal: abort.signal,
          abort,
          repeatable,
          headers,
          onactivity,
          onwait: options.onwait,
        },
      )
    send().catch((error: unknown) => {
      settled()
      reject(error as Error)
    })
    // Behind what is sent, which need not wait for a timer. There may be an answer already.
    if (pending.has(id)) check()
  })
}

export function notify({ transport }: Connection, method: string, params?: JsonObject): Promise<void> {
  return transport.send({ jsonrpc: '2.0', method, params })
}
