/**
 * Whether it is certain that nothing left. Browsers tell no reason, and being offline now proves nothing about the moment of
 * sending: there it never is.
 */
export function wasNotSent(error: unknown): boolean {
  const { code, syscall } = causeOf(error)
  if (/^(EHOSTUNREACH|ENETUNREACH)$/.test(String(code))) return syscall === 'connect'
  return /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/.test(String(code))
}

const causeOf = (error: unknown): { code?: unknown; syscall?: unknown; message?: unknown } =>
  (error as { cause?: object } | undefined)?.cause ?? {}

/** Whether Node refused to follow a redirect. Where it says so otherwise one day, it is a broken connection. */
export const wasRedirected = (error: unknown): boolean => causeOf(error).message === 'unexpected redirect'

/** Whether Node wanted to repeat a request that was answered with 421, and had nothing left of its body. */
export const wasMisdirected = (error: unknown): boolean => causeOf(error).code === 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH'

export interface Backoff {
  baseMs: number
  capMs: number
  /** What the bound of the wait is multiplied by after each failure. Default 2. */
  growFactor?: number | undefined
}

/** Sessions that end sooner are replaced, and set up again, with a growing pause in between. */
export const LASTING_MS = 60_000
export const SESSION_BACKOFF: Backoff = { baseMs: 1000, capMs: 60_000 }

/** Full jitter: a random share of a bound that grows. */
export const backoffMs = (attempt: number, { baseMs, capMs, growFactor = 2 }: Backoff): number =>
  Math.random() * Math.min(baseMs * growFactor ** attempt, capMs)

/** `Retry-After` in milliseconds, seconds or HTTP date, at most ten minutes; undefined when absent or nonsense. */
export function retryAfterMs(header: string | null): number | undefined {
  if (!header) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), 600_000)
}

/** Waits, or rejects as soon as the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
  })
}

/** The promise, or the signal's reason as soon as it aborts. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
