/** What looks after the requests that wait. */
const looks = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined
let nextLook = Infinity

/**
 * Has `look` called at that time, or before: one timer serves all requests, as to set and to clear one for each takes a page
 * longer than the rest of sending it.
 */
export function watch(look: () => void, time: number, now: number): void {
  looks.add(look)
  // One that is overdue may be lost: a page that was frozen, a test that put the clock back.
  if (time >= nextLook && nextLook > now) return
  nextLook = Math.min(time, nextLook)
  clearTimeout(timer)
  // A longer timer would fire at once.
  timer = setTimeout(
    () => {
      nextLook = Infinity
      for (const look of looks) look()
    },
    Math.min(nextLook - now, 2e9),
  )
}

/** It waits no more. In a page the timer stays, to find nothing; in Node the process would wait for it. */
export function unwatch(look: () => void): void {
  looks.delete(look)
  if (looks.size > 0 || globalThis.location) return
  clearTimeout(timer)
  nextLook = Infinity
}
