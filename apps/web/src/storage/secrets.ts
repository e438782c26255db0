import { type Sealed, sealedSchema } from '#domain/sealed.ts'
import { checked } from './checked.ts'
import type { Database } from './db.ts'
import { type Revised, revisionOf, VAULT } from './forget-secrets.ts'
import { reading, writing } from './in-transaction.ts'

/** Where the vault keeps its record and what it has sealed; nothing here can be read without the vault. */
export function createSecrets(db: Database) {
  const tables = [db.secrets, db.settings]

  return {
    /** The vault's record, and these secrets or all of them, as they are at one moment. */
    read: (ids?: readonly string[]): Promise<{ record: unknown; sealed: Sealed[] }> =>
      reading(db, tables, async () => {
        const row = await db.settings.get(VAULT)
        const found = ids ? await db.secrets.bulkGet([...ids]) : await db.secrets.toArray()
        return { record: row?.value, sealed: found.filter((sealed) => sealed !== undefined) }
      }),

    /** Stores all of it while the record still has the revision `expected`. False where another tab was faster. */
    commit: (
      expected: number,
      { record, put = [], remove = [] }: { record: Revised; put?: readonly Sealed[]; remove?: readonly string[] },
    ): Promise<boolean> =>
      writing(db, tables, async () => {
        const row = await db.settings.get(VAULT)
        if (revisionOf(row?.value) !== expected) return false
        await db.settings.put({ key: VAULT, value: record })
        await db.secrets.bulkDelete([...remove])
        await db.secrets.bulkPut(put.map((sealed) => checked(sealedSchema, sealed, 'secret')))
        return true
      }),
  }
}
