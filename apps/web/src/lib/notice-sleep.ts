const LOOK_MS = 5_000
/** A garbage collection or a busy machine takes seconds; who was away for so long may have missed that connections died. */
const SLEPT_MS = 30_000

/**
 * Calls back when we stood still for long: the machine slept, or the page was frozen. By the clock of the day: the other one
 * stands still with the machine. Returns what ends it.
 */
export function noticeSleep(onWake: () => void, now: () => number = Date.now): () => void {
  let at = now()
  const timer = setInterval(() => {
    const gap = now() - at
    at += gap
    if (gap > SLEPT_MS) onWake()
  }, LOOK_MS)
  return () => clearInterval(timer)
}
