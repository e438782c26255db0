import { createTabLocks } from '#lib/tab-locks.ts'
import { applyChanges, type Change } from '#storage/changes.ts'
import { bringHome, copyDatabase, vaultRevision } from '#storage/copy-database.ts'
import type { Database } from '#storage/db.ts'
import { createMemoryDatabase } from '#storage/memory-database.ts'
import { mirror } from '#storage/mirror.ts'
import { openDatabase } from '#storage/open.ts'
import type { StartWish } from './engine-protocol.ts'

export interface Memory {
  db: Database
  /** Puts what was done here into the database, where it opens by now. Returns whether keys went with it. */
  leave: () => Promise<boolean>
}

/** Where storage is denied, so are locks; here, in the library and in every file they are asked of `navigator`. */
async function replaceDeniedLocks(): Promise<void> {
  const isDenied = await navigator.locks.query().then(
    () => false,
    () => true,
  )
  if (isDenied) Object.defineProperty(navigator, 'locks', { value: createTabLocks(), configurable: true })
}

/** What stands in for the database while there is none. Everything in it is told, so that the page can follow. */
export async function openMemory(
  begin: NonNullable<StartWish['memory']>['begin'],
  tell: (changes: Change[]) => void,
  name?: string,
): Promise<Memory> {
  await replaceDeniedLocks()
  const db = createMemoryDatabase()
  const touched = mirror(db, tell)
  await db.open()
  let copiedRevision = 0
  if (begin === 'stored') {
    const stored = await openDatabase(() => {}, name)
    copiedRevision = await vaultRevision(stored)
    await copyDatabase(stored, db)
    stored.close()
    // What is there already need not be brought home.
    touched.clear()
  } else if (begin !== 'empty') {
    await applyChanges(
      db,
      Object.entries(begin).map(([table, rows]) => ({ table, type: 'put', rows })),
    )
  }
  return {
    db,
    async leave() {
      const stored = await openDatabase(() => {}, name)
      try {
        return await bringHome(db, stored, touched, copiedRevision)
      } finally {
        stored.close()
      }
    },
  }
}
