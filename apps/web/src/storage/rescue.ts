import { Failed } from '#domain/failure.ts'
import { VAULT } from './forget-secrets.ts'

const OPEN_MS = 5_000

/**
 * Nothing of the vault leaves it, and without that what is known of sign-ins would be wrong. What was streaming is in no
 * message, and the search index is made anew.
 */
const LEFT_OUT: ReadonlySet<string> = new Set(['secrets', 'mcpOAuthTokens', 'streams', 'searchWords'])

export interface Rescued {
  /** By table, as they lie there: not one of them is checked. */
  tables: Record<string, unknown[]>
  /** Rows that are there and cannot be read. */
  unreadable: number
}

const nothing = () => new Failed('not-found', 'There is nothing in this browser that could be read.')

const resultOf = <T>(ask: () => IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    const request = ask()
    request.onsuccess = () => resolve(request.result)
    request.onerror = (event) => {
      // One row that cannot be read does not end the reading of others.
      event.preventDefault()
      event.stopPropagation()
      reject(request.error ?? nothing())
    }
  })

/** In whichever version it is: nothing is migrated, mended or made. */
async function openAsItIs(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name)
  request.onupgradeneeded = () => request.transaction?.abort()
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(nothing()), OPEN_MS)
  })
  return Promise.race([resultOf(() => request), tooLong])
    .catch(() => Promise.reject(nothing()))
    .finally(() => clearTimeout(timer))
}

const isVault = (table: string, row: unknown) =>
  table === 'settings' && (row as { key?: unknown } | undefined)?.key === VAULT

/** Reads all that can be read of a database, and changes nothing: for one that the app itself cannot or must not open. */
export async function rescue(name = 'switchboard'): Promise<Rescued> {
  const db = await openAsItIs(name)
  const rescued: Rescued = { tables: {}, unreadable: 0 }
  const newStore = (table: string) => db.transaction(table, 'readonly').objectStore(table)
  try {
    for (const table of [...db.objectStoreNames].filter((one) => !LEFT_OUT.has(one))) {
      const rows: unknown[] = await resultOf(() => newStore(table).getAll()).catch(async () => {
        const kept: unknown[] = []
        for (const key of await resultOf(() => newStore(table).getAllKeys()).catch(() => []))
          await resultOf(() => newStore(table).get(key)).then(
            (row) => kept.push(row),
            () => (rescued.unreadable += 1),
          )
        return kept
      })
      rescued.tables[table] = rows.filter((row) => !isVault(table, row))
    }
    if (Object.values(rescued.tables).every(({ length }) => length === 0)) throw nothing()
    return rescued
  } finally {
    db.close()
  }
}
