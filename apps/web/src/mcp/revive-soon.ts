/** Those who come back to one server together do not come at the same moment. */
const JITTER_MS = 1000

export interface Revivals {
  /** Each of these soon, and once, however often it is said until then. */
  begin(serverIds: readonly string[]): void
  /** None of those that have not begun. */
  stop(): void
}

/** Looks at servers whose connections may be dead, each after a moment of its own. */
export function createRevivals(revive: (serverId: string) => Promise<void>): Revivals {
  const waiting = new Map<string, ReturnType<typeof setTimeout>>()
  const underWay = new Set<string>()

  async function begin(serverId: string): Promise<void> {
    waiting.delete(serverId)
    underWay.add(serverId)
    await revive(serverId).catch(() => {})
    underWay.delete(serverId)
  }

  return {
    begin(serverIds) {
      for (const id of serverIds) {
        if (waiting.has(id) || underWay.has(id)) continue
        waiting.set(
          id,
          setTimeout(() => void begin(id), Math.random() * JITTER_MS),
        )
      }
    },
    stop() {
      for (const timer of waiting.values()) clearTimeout(timer)
      waiting.clear()
    },
  }
}
