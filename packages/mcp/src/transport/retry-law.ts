/** Reads, and writes that servers take twice without harm. Whatever else is asked may have run. */
const REPEATABLE =
  /^(initialize|ping)$|\/(list|read|get|discover|complete|listen|subscribe|unsubscribe|setLevel|update|cancel|result)$/

export const mayRepeat = (method: string): boolean => REPEATABLE.test(method)

const NOT_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_INVALID_URL)$/

/** Whether it is certain that nothing left. Browsers tell no reason: there only being offline proves it. */
export function wasNotSent(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined
  return NOT_SENT.test(String(cause?.code)) || globalThis.navigator?.onLine === false
}

export interface Backoff {
  baseMs: number
  capMs: number
}

/** Full jitter: a random share of a bound that doubles. */
export const backoffMs = (attempt: number, { baseMs, capMs }: Backoff): number =>
  Math.random() * Math.min(baseMs * 2 ** attempt, capMs)

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
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
