/** So much room is kept for what must be written even when there is none: how a call ended, and the vault. */
const RESERVED_BYTES = 2 * 1024 * 1024
const MOST_RANDOM_BYTES = 65_536

const nameOf = (name: string) => `${name}-reserve`

const settled = (request: IDBRequest, transaction?: IDBTransaction) =>
  new Promise<void>((resolve, reject) => {
    const fail = () => reject(request.error ?? transaction?.error ?? new Error('It was given up.'))
    request.onerror = fail
    if (!transaction) return void (request.onsuccess = () => resolve())
    transaction.oncomplete = () => resolve()
    transaction.onabort = fail
  })

/** Bytes that no browser can make smaller. */
function filling(): Uint8Array {
  const bytes = new Uint8Array(RESERVED_BYTES)
  for (let at = 0; at < bytes.length; at += MOST_RANDOM_BYTES)
    crypto.getRandomValues(bytes.subarray(at, at + MOST_RANDOM_BYTES))
  return bytes
}

async function open(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(nameOf(name), 1)
  request.onupgradeneeded = () => request.result.createObjectStore('reserve')
  await settled(request)
  // Whoever needs the room does not wait for a tab that looks at it.
  request.result.onversionchange = () => request.result.close()
  return request.result
}

/** Takes the reserve, unless it is there. It is a database of its own: what is deleted as a whole gives its room back at once. */
export async function fillReserve(name: string): Promise<void> {
  const db = await open(name)
  try {
    const transaction = db.transaction('reserve', 'readwrite')
    const store = transaction.objectStore('reserve')
    const found = store.count()
    found.onsuccess = () => {
      if (found.result === 0) store.put(filling(), 'filling')
    }
    await settled(found, transaction)
  } finally {
    db.close()
  }
}

/** Gives the reserve up. False where there was none. */
export async function releaseReserve(name: string): Promise<boolean> {
  const found = (await indexedDB.databases()).some((database) => database.name === nameOf(name))
  if (found) await settled(indexedDB.deleteDatabase(nameOf(name)))
  return found
}
