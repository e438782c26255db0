import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { Database } from './db.ts'

/** A database that lies in the memory of this half alone, and is gone with it. Nobody else can open it. */
export const createMemoryDatabase = (): Database =>
  new Database(`switchboard-memory-${crypto.randomUUID()}`, { indexedDB: new IDBFactory(), IDBKeyRange })
