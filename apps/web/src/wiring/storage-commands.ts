import { Failed, type Failure } from '#domain/failure.ts'
import type { StorageState } from './commands.ts'
import type { Carried, EngineParts } from './engine-parts.ts'
import type { Storage } from './open-storage.ts'

type Names = 'tryStorage' | 'prunable' | 'prune' | 'leaveMemory'

const BUSY = 'An answer is being written, or a tool runs. Try again when that is over.'

const pruning = () => import('#storage/prune.ts')

/** Without it everything works as well, until the disk is full. */
const takeReserve = (name: string) =>
  void import('#storage/reserve.ts').then(({ fillReserve }) => fillReserve(name)).catch(() => {})

/** What is known of writes that failed: the conversations that could not go on, and what the page is told. */
export function createStorageWatch(storage: Storage, set: (state: StorageState) => void) {
  const waiting = new Set<string>()
  let hasReserve = storage.state.state === 'memory'
  // Without a database nothing is stored anyway, and that is told already.
  const tell = (state: StorageState) => {
    if (storage.state.state !== 'memory') set(state)
  }
  return {
    waiting,
    failed(failure: Failure, conversationId: string): void {
      // Calls by hand are in none: the user makes them again.
      if (conversationId) waiting.add(conversationId)
      tell({ state: 'failing', failure, what: conversationId ? 'an answer' : 'the result of a call' })
    },
    /** Whoever tries again is not told of the last time. */
    worked(conversationId: string): void {
      waiting.delete(conversationId)
      // From the first turn on there are calls whose end has to be written down.
      if (!hasReserve) takeReserve(storage.db.name)
      hasReserve = true
      tell({ state: 'stored' })
    },
    stored: () => tell({ state: 'stored' }),
  }
}
export type StorageWatch = ReturnType<typeof createStorageWatch>

export function storageCommands(
  { db, turns }: EngineParts,
  storage: Storage,
  watch: StorageWatch,
  isBusy: () => boolean,
): Carried<Names> {
  return {
    async tryStorage() {
      const { tryRoom } = await import('#storage/try-room.ts')
      await tryRoom(db)
      watch.stored()
      takeReserve(db.name)
      for (const conversationId of watch.waiting) void turns.run(conversationId, { goOn: true })
      watch.waiting.clear()
    },
    prunable: async () => (await pruning()).prunable(db),
    prune: async ({ kinds }) => (await pruning()).prune(db, kinds),
    async leaveMemory() {
      // The engine ends with it: an answer would be cut off, and of a tool that runs nobody would know the outcome.
      if (isBusy()) throw new Failed('bad-input', BUSY)
      return storage.leaveMemory()
    },
  }
}
