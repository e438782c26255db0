/** The locks of one browser, for tests: a tab that dies leaves its own to whoever waits. */
export interface BrowserLocks {
  tab(): TabLocks
}
export interface TabLocks {
  request<T>(
    name: string,
    options: { ifAvailable?: boolean; signal?: AbortSignal },
    run: (lock: object | null) => Promise<T>,
  ): Promise<T>
  die(): void
}

interface Claim {
  tab: object
  begin(): void
}

export function browserLocks(): BrowserLocks {
  /** The first of each holds the lock. */
  const claims = new Map<string, Claim[]>()

  function leave(name: string, claim: Claim): void {
    const queue = claims.get(name) ?? []
    const held = queue[0] === claim
    const rest = queue.filter((one) => one !== claim)
    claims.set(name, rest)
    if (held) rest[0]?.begin()
  }

  return {
    tab() {
      const tab = {}
      return {
        request: (name, { ifAvailable = false, signal }, run) =>
          new Promise((resolve, reject) => {
            const queue = claims.get(name) ?? []
            if (ifAvailable && queue.length > 0) return void run(null).then(resolve, reject)
            const claim: Claim = {
              tab,
              begin() {
                signal?.removeEventListener('abort', giveUp)
                void run({ name })
                  .then(resolve, reject)
                  .finally(() => leave(name, claim))
              },
            }
            const giveUp = (): void => {
              leave(name, claim)
              reject(signal?.reason as Error)
            }
            signal?.addEventListener('abort', giveUp)
            claims.set(name, [...queue, claim])
            if (queue.length === 0) claim.begin()
          }),
        die() {
          for (const [name, queue] of claims)
            for (const claim of queue.filter((one) => one.tab === tab)) leave(name, claim)
        },
      }
    },
  }
}
