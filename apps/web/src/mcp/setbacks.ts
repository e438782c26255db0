import { Failed, type Failure } from '#domain/failure.ts'

interface Setback {
  /** What failed; a record that says otherwise is tried at once. */
  key: string
  failure: Failure
  times: number
  until: number
}

export interface Setbacks {
  /** Throws what failed before while it is too early to try again. */
  check(serverId: string, key: string): void
  add(serverId: string, key: string, failure: Failure): void
  forget(serverId: string): void
}

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000

/** Servers that could not be connected to: each time in a row the next try waits for longer. */
export function createSetbacks(now: () => number): Setbacks {
  const setbacks = new Map<string, Setback>()
  return {
    check(serverId, key) {
      const setback = setbacks.get(serverId)
      if (setback?.key !== key || setback.until <= now()) return
      const { code, message, ...details } = setback.failure
      throw new Failed(code, message, { ...details, retryAt: setback.until })
    },
    add(serverId, key, failure) {
      // A vault is opened by its owner, who need not wait after that.
      if (failure.code === 'vault-locked') return
      const times = (setbacks.get(serverId)?.times ?? 0) + 1
      const wait = Math.min(FIRST_WAIT_MS * 2 ** (times - 1), LONGEST_WAIT_MS)
      setbacks.set(serverId, { key, failure, times, until: Math.max(now() + wait, failure.retryAt ?? 0) })
    },
    forget: (serverId) => void setbacks.delete(serverId),
  }
}
