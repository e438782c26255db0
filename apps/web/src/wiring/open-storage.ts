import { Failed, type FailureCode, failureOf } from '#domain/failure.ts'
import type { Change } from '#storage/changes.ts'
import type { Database } from '#storage/db.ts'
import { deleteDatabase, openDatabase } from '#storage/open.ts'
import type { StorageState } from './commands.ts'
import type { StartWish } from './engine-protocol.ts'

export interface Storage {
  db: Database
  state: StorageState
  /** Puts what was done without a database into it. */
  leaveMemory(): Promise<{ withKeys: boolean }>
}

/** There is no database to be had here: the app goes on without one, and says so. Of all others the user decides. */
const GOES_ON: ReadonlySet<FailureCode> = new Set(['storage-denied', 'storage-damaged'])

const NOT_IN_MEMORY = 'Everything is saved: there is nothing to bring back.'

/** The database, or what stands in for it. */
export async function openStorage(
  wish: StartWish,
  onClosed: (error: unknown) => void,
  tell: (changes: Change[]) => void,
  name?: string,
): Promise<Storage> {
  let memory = wish.memory
  try {
    if (wish.anew) await deleteDatabase(name)
    if (!memory)
      return {
        db: await openDatabase(onClosed, name),
        state: { state: 'stored' },
        leaveMemory: () => Promise.reject(new Failed('bad-input', NOT_IN_MEMORY)),
      }
  } catch (error) {
    const why = failureOf(error)
    if (!GOES_ON.has(why.code)) throw error
    memory = { why, begin: 'empty' }
  }
  const { openMemory } = await import('./open-memory.ts')
  const { db, leave } = await openMemory(memory.begin, tell, name)
  return {
    db,
    state: { state: 'memory', failure: memory.why },
    leaveMemory: async () => ({ withKeys: await leave() }),
  }
}
