/**
 * Browsers open six connections to a host over HTTP/1.1. Streams that stay open could take them all, and no call would
 * ever get through: so at most this many per origin, the others wait for a free one.
 */
const SLOTS = 3

const origins = new Map<string, { free: number; queue: (() => void)[] }>()

/** Takes a place among an origin's long streams, or calls `onwait` and waits for one; the result gives it back. */
export async function takeStreamSlot(origin: string, signal: AbortSignal, onwait: () => void): Promise<() => void> {
  if (globalThis.location === undefined) return () => {}
  let slots = origins.get(origin)
  if (!slots) origins.set(origin, (slots = { free: SLOTS, queue: [] }))
  const { queue } = slots
  if (slots.free > 0) slots.free--
  else {
    onwait()
    await new Promise<void>((resolve, reject) => {
      queue.push(resolve)
      signal.addEventListener('abort', () => {
        const place = queue.indexOf(resolve)
        if (place >= 0) queue.splice(place, 1)
        reject(signal.reason as Error)
      })
    })
  }
  return () => {
    const next = queue.shift()
    if (next) next()
    else slots.free++
  }
}
