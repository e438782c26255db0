import { Failed } from '#domain/failure.ts'
import { Database } from './db.ts'
import { storageFailure } from './storage-failure.ts'

const BLOCKED_MS = 5_000

const BLOCKED =
  'Another tab holds an older version of the app open, and this one waited 5 s for it. Close or reload that tab, then reload this one.'

const isDeleted = ({ newVersion }: IDBVersionChangeEvent) => newVersion === null || newVersion === 0

/** Dexie would open what a newer version has left behind, and mend it until it fits this one. It counts versions in tens. */
async function refuseNewer({ name, verno }: Database): Promise<void> {
  const found = (await indexedDB.databases()).find((database) => database.name === name)
  if (Math.floor((found?.version ?? 0) / 10) > verno) throw new DOMException('', 'VersionError')
}

async function openInTime(db: Database): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Failed('storage', BLOCKED)), BLOCKED_MS)
  })
  await Promise.race([db.open(), tooLong]).finally(() => clearTimeout(timer))
}

/**
 * Opens the database, or fails with `storage` in words for a person. `onClosed` is called when it is taken from this tab
 * later: a newer version in another tab wants to change it, or its data was deleted.
 */
export async function openDatabase(onClosed: (failure: Failed) => void, name?: string): Promise<Database> {
  const db = new Database(name)
  const lose = (message: string) => {
    // Otherwise it would open itself again, and be empty.
    db.close()
    onClosed(new Failed('storage', message))
  }
  db.on('versionchange', (event) =>
    lose(
      isDeleted(event)
        ? 'The data of this app was deleted. Reload the page to begin anew.'
        : 'A newer version of the app was opened in another tab. Reload this one.',
    ),
  )
  try {
    await refuseNewer(db)
    await openInTime(db)
  } catch (cause) {
    db.close()
    throw storageFailure(cause)
  }
  db.backendDB().addEventListener('close', () =>
    lose('The browser closed the database, perhaps because its data was cleared. Reload the page.'),
  )
  return db
}
