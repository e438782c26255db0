import type { DBCore, DBCoreMutateRequest, DBCoreMutateResponse, DBCoreTable, DBCoreTransaction } from 'dexie'
import { type Change, withoutSecrets } from './changes.ts'
import type { Database } from './db.ts'

type Key = string | number

/** The rows that were touched, by table. What became of them is in the database. */
export type Touched = Map<string, Set<Key>>

const rowsOf = (
  { schema }: DBCoreTable,
  { values }: { values: readonly object[] },
  { failures, results = [] }: DBCoreMutateResponse,
): object[] => {
  const { keyPath } = schema.primaryKey
  // Where the database counts, the key is not in the row that was handed in.
  return values.flatMap((row, at) =>
    failures[at] ? [] : typeof keyPath === 'string' ? [{ ...row, [keyPath]: results[at] as Key }] : [row],
  )
}

/**
 * Carries out a request, and notes what it did. Without `await`: Dexie knows by its own promises in which transaction it is,
 * and the rest of them is below this.
 */
function perform(
  table: DBCoreTable,
  request: DBCoreMutateRequest,
  note: (change: Change) => void,
): Promise<DBCoreMutateResponse> {
  const noted = (toChange: (response: DBCoreMutateResponse) => Change) =>
    table.mutate(request).then((response) => {
      note(toChange(response))
      return response
    })
  const { name } = table
  switch (request.type) {
    case 'add':
    case 'put':
      return noted((response) => ({ table: name, type: 'put', rows: rowsOf(table, request, response) }))
    case 'delete':
      return noted(() => ({ table: name, type: 'delete', keys: request.keys as Key[] }))
    case 'deleteRange': {
      const { trans, range } = request
      // What lies in a range can be told only before it is gone.
      return table
        .query({ trans, values: false, query: { index: table.schema.primaryKey, range } })
        .then(({ result }) => noted(() => ({ table: name, type: 'delete', keys: result as Key[] })))
    }
  }
}

const keysOf = (change: Change, keyPath: string): Key[] =>
  change.type === 'delete' ? [...change.keys] : change.rows.map((row) => (row as Record<string, Key>)[keyPath] as Key)

/**
 * Tells of every transaction that this database completes, so that another can follow it: the page's, which cannot open a
 * database in the engine's memory. Nothing of the vault is told. Returns which rows were touched.
 */
export function mirror(db: Database, tell: (changes: Change[]) => void): Touched {
  const touched: Touched = new Map()
  const made = new WeakMap<DBCoreTransaction, Change[]>()

  const end = (core: DBCore, changes: readonly Change[]) => {
    for (const change of changes) {
      const { keyPath } = core.table(change.table).schema.primaryKey
      const keys = touched.get(change.table) ?? new Set()
      for (const key of keysOf(change, String(keyPath))) keys.add(key)
      touched.set(change.table, keys)
    }
    const told = changes.flatMap((change) => withoutSecrets(change) ?? [])
    if (told.length > 0) tell(told)
  }

  db.use({
    stack: 'dbcore',
    name: 'mirror',
    create: (core) => ({
      ...core,
      transaction(stores, mode, options) {
        const transaction = core.transaction(stores, mode, options)
        if (mode === 'readwrite') {
          const changes: Change[] = []
          made.set(transaction, changes)
          // One that is given up has changed nothing.
          ;(transaction as DBCoreTransaction & EventTarget).addEventListener('complete', () => end(core, changes))
        }
        return transaction
      },
      table(name) {
        const table = core.table(name)
        return {
          ...table,
          mutate: (request) => perform(table, request, (change) => made.get(request.trans)?.push(change)),
        }
      },
    }),
  })
  return touched
}
