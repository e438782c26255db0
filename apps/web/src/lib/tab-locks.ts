interface LockOptions {
  ifAvailable?: boolean
  signal?: AbortSignal
}

type Run<T> = (lock: object | null) => Promise<T>

/** The part of `navigator.locks` that the app uses, for one tab alone: where a browser denies storage, it denies those too. */
export interface TabLocks {
  request<T>(name: string, run: Run<T>): Promise<T>
  request<T>(name: string, options: LockOptions, run: Run<T>): Promise<T>
}

export function createTabLocks(): TabLocks {
  /** Settles when whoever asked last has let go. */
  const last = new Map<string, Promise<unknown>>()

  async function hold<T>(name: string, options: LockOptions, run: Run<T>): Promise<T> {
    const { ifAvailable = false, signal } = options
    const before = last.get(name)
    if (before && ifAvailable) return run(null)
    const turn = (before ?? Promise.resolve()).then(async () => {
      signal?.throwIfAborted()
      return run({ name })
    })
    const over = turn.catch(() => {})
    last.set(name, over)
    void over.then(() => {
      if (last.get(name) === over) last.delete(name)
    })
    if (!signal) return turn
    // Who gives up while waiting hears so at once; whoever waits behind it still waits for its turn.
    let isBegun = false
    const begun = (before ?? Promise.resolve()).then(() => (isBegun = true))
    return Promise.race([
      turn,
      new Promise<never>((_, reject) => {
        const giveUp = () => isBegun || reject(signal.reason as Error)
        signal.addEventListener('abort', giveUp, { once: true })
        void begun.then(() => signal.removeEventListener('abort', giveUp))
      }),
    ])
  }

  function request<T>(name: string, run: Run<T>): Promise<T>
  function request<T>(name: string, options: LockOptions, run: Run<T>): Promise<T>
  function request<T>(name: string, given: LockOptions | Run<T>, run?: Run<T>): Promise<T> {
    return typeof given === 'function' ? hold(name, {}, given) : hold(name, given, run as Run<T>)
  }
  return { request }
}
