import { Failed } from '#domain/failure.ts'
import { Database } from './db.ts'
import { storageFailure } from './storage-failure.ts'

const BLOCKED_MS = 5_000

const blocked = () =>
  new Failed(
    'storage-blocked',
    `A tab with an older version of the app holds the database, and this one waited 5 s for it. Close every other tab whose address begins with ${globalThis.location?.origin ?? 'that of this app'}, then try again.`,
  )

const isDeleted = ({ newVersion }: IDBVersionChangeEvent) => newVersion === null || newVersion === 0

/** Dexie would open what a newer version has left behind, and mend it until it fits this one. It counts versions in tens. */
async function refuseNewer({ name, verno }: Database): Promise<void> {
  const found = (await indexedDB.databases()).find((database) => database.name === name)
  if (Math.floor((found?.version ?? 0) / 10) > verno) throw new DOMException('', 'VersionError')
}

async function inTime<T>(deed: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(blocked()), BLOCKED_MS)
  })
  return Promise.race([deed, tooLong]).finally(() => clearTimeout(timer))
}

/**
 * Opens the database, or fails with a code of storage in words for a person. `onClosed` is called when it is taken from this
 * tab later: a newer version in another tab wants to change it, or its data was deleted. With `mustExist` none is made, and it is
 * waited for: somebody else tells what is in the way.
 */
export async function openDatabase(
  onClosed: (failure: Failed) => void,
  name?: string,
  { mustExist = false } = {},
): Promise<Database> {
  const db = new Database(name)
  // Looked for beforehand, it could still go until it is opened.
  if (mustExist) db.on('populate', (making) => making.abort())
  const lose = (failure: Failed) => {
    // Otherwise it would open itself again, and be empty.
    db.close()
    onClosed(failure)
  }
  db.on('versionchange', (event) =>
    lose(
      isDeleted(event)
        ? new Failed(
            'storage-gone',
            'The data of this app was deleted, here or in another tab. Who has a backup starts anew and restores it in Settings, Data.',
          )
        : new Failed('storage-outdated', 'A newer version of the app was opened in another tab. Reload this one.'),
    ),
  )
  try {
    await refuseNewer(db)
    await (mustExist ? db.open() : inTime(db.open()))
  } catch (cause) {
    db.close()
    throw storageFailure(cause, true)
  }
  db.backendDB().addEventListener('close', () =>
    lose(
      new Failed(
        'storage-gone',
        'The browser closed the database, perhaps because its data was cleared. Who has a backup starts anew and restores it in Settings, Data.',
      ),
    ),
  )
  return db
}

/** Takes everything away, also what cannot be opened. Fails with `storage-blocked` where another tab does not let go. */
export async function deleteDatabase(name?: string): Promise<void> {
  try {
    await inTime(new Database(name).delete())
  } catch (cause) {
    throw storageFailure(cause)
  }
}
