/** Whether it is certain that nothing left. Browsers tell no reason: there only being offline proves it. */
export function wasNotSent(error: unknown): boolean {
  const code = (error as { cause?: { code?: unknown } } | undefined)?.cause?.code
  return (
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/.test(String(code)) ||
    globalThis.navigator?.onLine === false
  )
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
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
  })
}
