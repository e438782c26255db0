import type { Table, TransactionMode } from 'dexie'
import type { Database } from './db.ts'
import { storageFailure } from './storage-failure.ts'

async function inTransaction<T>(
  db: Database,
  mode: TransactionMode,
  tables: Table[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await db.transaction(mode, tables, work)
  } catch (cause) {
    throw storageFailure(cause)
  }
}

export const reading = <T>(db: Database, tables: Table[], work: () => Promise<T>) =>
  inTransaction(db, 'r', tables, work)

/** What a call did, and what is sealed, cannot be said again: for that there is a reserve. */
const RESERVED_FOR: ReadonlySet<string> = new Set(['mcpToolCalls', 'mcpTasks', 'secrets'])

const mayUseReserve = (error: unknown, tables: readonly Table[]) =>
  storageFailure(error).failure.code === 'storage-full' && tables.some(({ name }) => RESERVED_FOR.has(name))

const releaseReserve = async (db: Database) => (await import('./reserve.ts')).releaseReserve(db.name)

/** As `writing`, for what can wait until there is room. */
export const writingWithoutReserve = <T>(db: Database, tables: Table[], work: () => Promise<T>) =>
  inTransaction(db, 'rw', tables, work)

/** All of it is stored, or nothing. */
export const writing = async <T>(db: Database, tables: Table[], work: () => Promise<T>): Promise<T> => {
  try {
    return await writingWithoutReserve(db, tables, work)
  } catch (error) {
    if (!mayUseReserve(error, tables) || !(await releaseReserve(db).catch(() => false))) throw error
    return writingWithoutReserve(db, tables, work)
  }
}
