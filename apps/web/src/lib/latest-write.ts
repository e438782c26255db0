export interface LatestWrite<T> {
  /** To be written soon; what came before and is not written yet is forgotten. */
  push: (value: T) => void
  /** Nothing is written after this has resolved. */
  end: () => Promise<void>
}

/**
 * Writes the latest of many values: the first at once, then at most one per `everyMs`, and one at a time. A write that
 * fails is forgotten: what is written here is only on its way to something that is written with more care.
 */
export function createLatestWrite<T>(write: (value: T) => Promise<unknown>, everyMs: number): LatestWrite<T> {
  let latest: { value: T } | undefined
  let state: 'free' | 'busy' | 'ended' = 'free'
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing = Promise.resolve()

  async function writeLatest({ value }: { value: T }): Promise<void> {
    latest = undefined
    state = 'busy'
    await write(value).catch(() => {})
    if (state === 'busy') timer = setTimeout(rest, everyMs)
  }

  function rest(): void {
    state = 'free'
    if (latest) writing = writeLatest(latest)
  }

  return {
    push(value) {
      latest = { value }
      if (state === 'free') writing = writeLatest(latest)
    },
    async end() {
      state = 'ended'
      clearTimeout(timer)
      await writing
    },
  }
}
