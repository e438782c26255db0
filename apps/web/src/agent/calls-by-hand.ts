import { Failed } from '#domain/failure.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import type { TurnLocks, TurnStorage } from './needs.ts'

export interface HandNeeds {
  storage: Pick<TurnStorage, 'addCalls' | 'unfinishedByHand' | 'healByHand'>
  locks: TurnLocks
  /** Runs calls that are approved; the same for those of a chat. */
  runApproved: (calls: readonly ToolCall[], signal: AbortSignal) => Promise<void>
  /** Hears whether any runs in this tab. */
  onRunning(isRunning: boolean): void
  /** Hears of what could not be written down. */
  onFailure(error: unknown): void
}

export interface CallsByHand {
  /** Writes down a call that the user made, and runs it. Resolves when it is written down. */
  start(call: ToolCall): Promise<void>
  /** Runs what waits: after an answer that a call needed. Resolves when that is done. */
  goOn(): Promise<void>
  /** Puts in order what a dead engine left, then goes on. */
  heal(): Promise<void>
}

const lockOf = (id: string) => `call:${id}`

/**
 * Calls that belong to no conversation: the user made them. Each has a lock of its own for as long as it runs, so that another tab
 * can tell one that runs from one whose engine died.
 */
export function createCallsByHand(needs: HandNeeds): CallsByHand {
  const { storage, locks } = needs
  const never = new AbortController().signal
  let running = 0

  async function run(call: ToolCall): Promise<void> {
    needs.onRunning(++running > 0)
    try {
      await needs.runApproved([call], never)
    } finally {
      needs.onRunning(--running > 0)
    }
  }

  /** Does something with a call unless it runs in some tab. */
  const unlessAlive = (id: string, deed: () => Promise<void>): Promise<void> =>
    locks.request(lockOf(id), { ifAvailable: true }, async (lock) => {
      if (lock) await deed()
    })

  async function goOn(): Promise<void> {
    const waiting = (await storage.unfinishedByHand()).filter(({ status }) => status === 'pending')
    const runs = waiting.map((call) => unlessAlive(call.id, () => run(call)))
    await Promise.all(runs).catch((error: unknown) => needs.onFailure(error))
  }

  return {
    start: (call) =>
      new Promise((resolve, reject) => {
        let isWritten = false
        // The lock comes first: without it another tab that starts just now would find the call, and take it for dead.
        const held = locks.request(lockOf(call.id), { ifAvailable: true }, async (lock) => {
          if (!lock) throw new Failed('busy-elsewhere', 'This call is being made in another tab.')
          // One that is written down nowhere is not made: after a crash nobody would know of it.
          await storage.addCalls([call])
          isWritten = true
          resolve()
          await run(call)
        })
        held.catch((error: unknown) => {
          if (isWritten) needs.onFailure(error)
          else reject(error as Error)
        })
      }),

    goOn,

    async heal() {
      for (const { id } of await storage.unfinishedByHand()) await unlessAlive(id, () => storage.healByHand(id))
      await goOn()
    },
  }
}
