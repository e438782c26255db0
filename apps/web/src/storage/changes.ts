import type { Table } from 'dexie'
import type { Database } from './db.ts'
import { VAULT } from './forget-secrets.ts'
import { writing } from './in-transaction.ts'

/** What became of rows of one table. */
export type Change = { table: string } & (
  | { type: 'put'; rows: readonly object[] }
  | { type: 'delete'; keys: readonly (string | number)[] }
)

/** Rows by table, as they go from one half to the other. */
export type Rows = Record<string, readonly object[]>

const isVault = (row: object) => (row as { key?: unknown }).key === VAULT

/** What the page may have of a change: nothing of the vault, neither sealed nor open. */
export function withoutSecrets(change: Change): Change | undefined {
  if (change.table === 'secrets') return undefined
  if (change.table !== 'settings') return change
  if (change.type === 'put') return { ...change, rows: change.rows.filter((row) => !isVault(row)) }
  return { ...change, keys: change.keys.filter((key) => key !== VAULT) }
}

const tableOf = (db: Database, name: string) => db.table(name) as Table<object, string | number>

/** Does to this database what was done to another. */
export const applyChanges = (db: Database, changes: readonly Change[]): Promise<void> =>
  writing(
    db,
    [...new Set(changes.map(({ table }) => table))].map((name) => tableOf(db, name)),
    async () => {
      for (const change of changes) {
        const table = tableOf(db, change.table)
        if (change.type === 'put') await table.bulkPut(change.rows)
        else await table.bulkDelete([...change.keys])
      }
    },
  )

/** All rows of a database, table by table: one that is large is not held twice. */
export async function eachTable(
  db: Database,
  take: (table: string, rows: readonly object[]) => Promise<void>,
): Promise<void> {
  for (const { name } of db.tables) await take(name, await tableOf(db, name).toArray())
}

/** All that is in a database, without its secrets. */
export async function readRows(db: Database): Promise<Rows> {
  const rows: Rows = {}
  await eachTable(db, async (table, found) => {
    const change = withoutSecrets({ table, type: 'put', rows: found })
    if (change?.type === 'put') rows[table] = change.rows
  })
  return rows
}
