/** Watches, during one test, for what a client must never leave behind. */
export interface Watch {
  /** Timers that code under `folder` has set and neither cleared nor seen fire. */
  timers(): number
  readonly rejections: unknown[]
  stop(): void
}

type Timers = Pick<typeof globalThis, 'setTimeout' | 'clearTimeout' | 'setInterval' | 'clearInterval'>

/**
 * Counts timers set by the sources whose path contains `folder`, and collects unhandled rejections.
 * A timer is the library's when its call site is in the stack that set it.
 */
export function watchLeftovers(folder: string): Watch {
  const before: Timers = {
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    setInterval: globalThis.setInterval,
    clearInterval: globalThis.clearInterval,
  }
  const pending = new Set<unknown>()
  const rejections: unknown[] = []
  const onRejection = (reason: unknown) => void rejections.push(reason)
  process.on('unhandledRejection', onRejection)

  const ours = () => new Error('stack').stack?.split('\n')[3]?.includes(folder) ?? false

  function setTimeoutWatched(callback: (...given: unknown[]) => void, ms?: number, ...given: unknown[]): unknown {
    if (!ours()) return before.setTimeout(callback, ms, ...given)
    const timer = before.setTimeout(() => {
      pending.delete(timer)
      callback(...given)
    }, ms)
    pending.add(timer)
    return timer
  }
  function setIntervalWatched(callback: (...given: unknown[]) => void, ms?: number, ...given: unknown[]): unknown {
    const timer = before.setInterval(callback, ms, ...given)
    if (ours()) pending.add(timer)
    return timer
  }
  Object.assign(globalThis, {
    setTimeout: Object.assign(setTimeoutWatched, before.setTimeout),
    setInterval: setIntervalWatched,
    clearTimeout: (timer: NodeJS.Timeout) => {
      pending.delete(timer)
      before.clearTimeout(timer)
    },
    clearInterval: (timer: NodeJS.Timeout) => {
      pending.delete(timer)
      before.clearInterval(timer)
    },
  })
  return {
    timers: () => pending.size,
    rejections,
    stop: () => {
      Object.assign(globalThis, before)
      process.off('unhandledRejection', onRejection)
    },
  }
}

/** A small generator of numbers in [0, 1) that gives the same sequence for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Everything that a person, a log or a model could get to see of an error, its causes and its data. */
export function everythingIn(error: unknown, depth = 0): string {
  if (depth > 5 || error === undefined || error === null) return ''
  if (!(error instanceof Error)) return typeof error === 'object' ? JSON.stringify(error) : String(error)
  let text = `${error.name} ${error.message} ${error.stack ?? ''}`
  for (const key of Object.getOwnPropertyNames(error)) {
    if (key === 'stack' || key === 'message') continue
    text += ` ${everythingIn(Reflect.get(error, key), depth + 1)}`
  }
  return `${text} ${everythingIn(error.cause, depth + 1)}`
}
