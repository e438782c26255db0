import type { Table } from 'dexie'
import type { ToolCall } from '#domain/tool-call.ts'
import { applyChanges, eachTable } from './changes.ts'
import type { Database } from './db.ts'
import { revisionOf, VAULT } from './forget-secrets.ts'
import { reading, writingWithoutReserve } from './in-transaction.ts'
import type { Touched } from './mirror.ts'

const NOT_HERE = {
  code: 'outcome-unknown',
  message:
    'This call was under way when the app began to work without saving, so nobody knows here whether it did its work. Look before you run it again.',
} as const

/** Approved or running where this copy was made from: whoever has it there goes on with it, and it must not run twice. */
const isUnderWay = ({ status, approval }: ToolCall) =>
  status === 'running' || (status === 'pending' && approval?.state !== 'requested')

const inCopy = (table: string, row: object): object =>
  table === 'mcpToolCalls' && isUnderWay(row as ToolCall)
    ? { ...row, status: 'unknown', error: NOT_HERE, completedAt: Date.now() }
    : row

export const vaultRevision = (db: Database): Promise<number> =>
  reading(db, [db.settings], async () => revisionOf((await db.settings.get(VAULT))?.value))

/** Everything that is stored, also what is sealed, into a database in memory. */
export const copyDatabase = (stored: Database, memory: Database): Promise<void> =>
  eachTable(stored, (table, rows) =>
    applyChanges(memory, [{ table, type: 'put', rows: rows.map((row) => inCopy(table, row)) }]),
  )

/**
 * Puts what was done in memory into the database, all of it or nothing: rows that nobody touched here stay as they are there.
 * Keys go with it only while the vault there is still the one that was copied. Returns whether they did.
 */
export async function bringHome(
  memory: Database,
  stored: Database,
  touched: Touched,
  copiedRevision: number,
): Promise<boolean> {
  const isVaultSame = (await vaultRevision(stored)) === copiedRevision
  const changes = await reading(memory, memory.tables, () =>
    Promise.all(
      [...touched].map(async ([name, keys]) => {
        const mayGo = (key: string | number) => isVaultSame || !(name === 'settings' && key === VAULT)
        const wanted = [...keys].filter(mayGo)
        const found = await (memory.table(name) as Table<object>).bulkGet(wanted)
        return { name, rows: found.filter((row) => row !== undefined), gone: wanted.filter((_, at) => !found[at]) }
      }),
    ),
  )
  await writingWithoutReserve(stored, stored.tables, async () => {
    for (const { name, rows, gone } of changes) {
      if (name === 'secrets' && !isVaultSame) continue
      const table = stored.table(name) as Table<object>
      await table.bulkPut(rows)
      await table.bulkDelete(gone)
    }
  })
  return isVaultSame
}
