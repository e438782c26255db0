import type { Table } from 'dexie'
import { Failed } from '#domain/failure.ts'

export interface Deletable {
  deletedAt?: number | undefined
}

export const isThere = ({ deletedAt }: Deletable) => deletedAt === undefined

export const unlessDeleted = <Row extends Deletable>(row: Row | undefined) => (row && isThere(row) ? row : undefined)

// All three inside a transaction of the caller.

/** The row, unless it is deleted. */
export async function findRow<Row extends Deletable>(
  table: Table<Row, string>,
  id: string,
  what: string,
): Promise<Row> {
  const row = unlessDeleted(await table.get(id))
  if (!row) throw new Failed('not-found', `This ${what} is not there any more. It was deleted here or in another tab.`)
  return row
}

/** Deletes a row so that it can come back, until `purge` takes it. */
export async function markDeleted<Row extends Deletable>(table: Table<Row, string>, id: string, what: string) {
  const deletedAt = Date.now()
  await table.put({ ...(await findRow(table, id, what)), deletedAt })
  return deletedAt
}

/** Brings a row back, and tells when it was deleted. */
export async function bringBack<Row extends Deletable>(table: Table<Row, string>, id: string, what: string) {
  const row = await table.get(id)
  if (!row) throw new Failed('not-found', `This ${what} cannot be brought back: it is gone for good.`)
  const { deletedAt, ...kept } = row
  await table.put(kept as Row)
  return deletedAt
}
