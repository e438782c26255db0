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

/** All of it is stored, or nothing. */
export const writing = <T>(db: Database, tables: Table[], work: () => Promise<T>) =>
  inTransaction(db, 'rw', tables, work)
