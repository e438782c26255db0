import type { OAuthStorage } from './stored-provider.ts'

const STORE = 'values'

/**
 * Keeps credentials in IndexedDB, as they are: for pages whose origin nobody else shares. What one tab stores, the next
 * one reads; `localStorage` does not promise that, and two tabs would use one refresh token.
 */
export function databaseStorage(name = 'mcp-oauth'): OAuthStorage {
  let database: Promise<IDBDatabase> | undefined

  const open = (): Promise<IDBDatabase> =>
    new Promise((resolve, reject) => {
      const opening = indexedDB.open(name)
      opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(opening.error ?? new Error('The database did not open'))
    })

  const act = async <T>(mode: IDBTransactionMode, deed: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
    database ??= open()
    // A failed attempt is tried anew.
    database.catch(() => (database = undefined))
    const transaction = (await database).transaction(STORE, mode)
    const request = deed(transaction.objectStore(STORE))
    return new Promise((resolve, reject) => {
      // Not before: the next tab reads what is committed.
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error ?? new Error('It was not stored'))
    })
  }

  return {
    get: (key) => act('readonly', (store) => store.get(key) as IDBRequest<string | undefined>),
    set: async (key, value) => void (await act('readwrite', (store) => store.put(value, key))),
    delete: (key) => act('readwrite', (store) => store.delete(key)),
  }
}
