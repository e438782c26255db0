/** Where a server names no pace. */
const USUAL_MS = 1000
const SLOWEST_MS = 10_000
/** No server is asked more often than this, and none less, whatever it wants. In the long run, the shortest pause is longer. */
const FLOOR_MS = 100
const LASTING_FLOOR_MS = 1000
const CEILING_MS = 300_000
/** Where changes are told, one looks only to see that they are. */
const PUSHED_MS = 30_000

export interface Pace {
  /** What the server asks for. */
  pollIntervalMs: number | undefined
  /** What the app asks for: it can only slow us down. */
  minimumMs: number
  /** How many looks there were. */
  looks: number
  /** How many of the last ones showed nothing new. */
  quiet: number
  pushed: boolean
  /** Until the server may forget the task. */
  leftMs: number
}

/** How long to wait before the next look at a task. */
export function paceMs({ pollIntervalMs, minimumMs, looks, quiet, pushed, leftMs }: Pace): number {
  const asked = pollIntervalMs ?? Math.min(USUAL_MS * 1.5 ** quiet, SLOWEST_MS)
  const ms = Math.min(Math.max(asked, minimumMs, pushed ? PUSHED_MS : 0), CEILING_MS)
  // A result that nobody looked at in time is lost.
  const timely = leftMs > 0 && leftMs < ms ? Math.max(leftMs * 0.9, Math.min(ms, USUAL_MS)) : ms
  // Later rather than sooner, and not all at once.
  return Math.max(timely, floorMs(looks)) * (1 + Math.random() / 10)
}

/** The shortest pause between two looks: what a server tells may ask for one at once, and some tell without end. */
export const floorMs = (looks: number): number => Math.min(FLOOR_MS * 1.1 ** Math.max(looks - 10, 0), LASTING_FLOOR_MS)
