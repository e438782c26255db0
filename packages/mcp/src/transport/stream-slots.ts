/**
 * Browsers open six connections to a host over HTTP/1.1, for all tabs together. Streams that stay open could take them all,
 * and no call would ever get through: so at most this many per origin, the others wait for a free one.
 */
const SLOTS = 3

const origins = new Map<string, { free: number; queue: (() => void)[] }>()

/** Takes a place among an origin's long streams, or calls `onwait` and waits for one; the result gives it back. */
export async function takeStreamSlot(origin: string, signal: AbortSignal, onwait: () => void): Promise<() => void> {
  if (!globalThis.location) return () => {}
  try {
    const locks = globalThis.navigator?.locks as LockManager | undefined
    if (locks) return await takeInAllTabs(locks, origin, signal, onwait)
  } catch {
    signal.throwIfAborted()
    // A page that is denied storage is denied locks too: it counts its own.
  }
  return takeInThisTab(origin, signal, onwait)
}

/** A place is a lock: the browser gives it back also for a tab that is closed or dies. */
async function takeInAllTabs(
  locks: LockManager,
  origin: string,
  signal: AbortSignal,
  onwait: () => void,
): Promise<() => void> {
  const over = new AbortController()
  const take = (n: number, options: LockOptions): Promise<(() => void) | undefined> =>
    new Promise((resolve, reject) => {
      const hold = (lock: Lock | null): Promise<void> =>
        new Promise((release) => {
          // Two may be granted at once, and a stream is in one place only.
          const isOurs = lock !== null && !over.signal.aborted
          resolve(isOurs ? release : undefined)
          if (isOurs) over.abort()
          else release()
        })
      locks.request(`switchboard-mcp-stream:${origin}:${n}`, options, hold).catch(reject)
    })
  // One after the other: who held them all for a moment would make other tabs wait.
  for (let n = 0; n < SLOTS; n++) {
    const release = await take(n, { ifAvailable: true })
    if (release) return release
  }
  onwait()
  const options = { signal: AbortSignal.any([signal, over.signal]) }
  try {
    const release = await Promise.race(Array.from({ length: SLOTS }, (_, n) => take(n, options)))
    return release!
  } finally {
    over.abort()
  }
}

async function takeInThisTab(origin: string, signal: AbortSignal, onwait: () => void): Promise<() => void> {
  let slots = origins.get(origin)
  if (!slots) origins.set(origin, (slots = { free: SLOTS, queue: [] }))
  const { queue } = slots
  if (slots.free > 0) slots.free--
  else {
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        const place = queue.indexOf(resolve)
        if (place >= 0) queue.splice(place, 1)
        reject(signal.reason as Error)
      }
      queue.push(resolve)
      signal.addEventListener('abort', leave)
      onwait()
      // Who has left before would never be told to.
      if (signal.aborted) leave()
    })
  }
  return () => {
    const next = queue.shift()
    if (next) next()
    else slots.free++
  }
}
