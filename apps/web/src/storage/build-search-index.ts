import type { Database } from './db.ts'
import { writingWithoutReserve } from './in-transaction.ts'
import { entryOf, SEARCH_TABLE, type SourceName, sourceNames } from './search-index.ts'

/** Comes after the key of every entry: those begin with a time. */
export const END_OF_ENTRIES = '~'
const STATE_KEY = `${END_OF_ENTRIES}state`
const BATCH = 50

/** How far the rows that were there before the index have been indexed. It is a row of the index, and is lost with it. */
interface BuildState {
  key: typeof STATE_KEY
  words: []
  /** The table that is being read; absent when all have been. */
  table?: SourceName | undefined
  /** The last row of it that was indexed. */
  after?: string | undefined
}

interface Locks {
  request(name: string, options: LockOptions, run: () => Promise<void>): Promise<void>
}

const stateOf = (db: Database) => db.table<BuildState, string>(SEARCH_TABLE).get(STATE_KEY)

export async function isSearchIndexBuilt(db: Database): Promise<boolean> {
  const state = await stateOf(db)
  return state !== undefined && state.table === undefined
}

/**
 * Indexes what was stored before there was an index, a few rows at a time, and goes on where it was interrupted. Other tabs
 * wait for the lock, and find it done.
 */
export const buildSearchIndex = (db: Database, locks: Locks): Promise<void> =>
  locks.request(`${db.name}-search-index`, {}, async () => {
    let state = (await stateOf(db)) ?? { key: STATE_KEY, words: [], table: sourceNames[0] }
    while (state.table !== undefined) {
      state = await indexNext(db, state.table, state.after ?? '')
      // Turns and commands of the user go first.
      await new Promise((resolve) => setTimeout(resolve))
    }
  })

const indexNext = (db: Database, name: SourceName, after: string): Promise<BuildState> =>
  writingWithoutReserve(db, [db[name], db.searchWords], async () => {
    const rows = await db[name].where('id').above(after).limit(BATCH).toArray()
    await db.searchWords.bulkPut(rows.flatMap((row) => entryOf(name, row) ?? []))
    const isDone = rows.length < BATCH
    const state: BuildState = {
      key: STATE_KEY,
      words: [],
      table: isDone ? sourceNames[sourceNames.indexOf(name) + 1] : name,
      after: isDone ? undefined : rows.at(-1)?.id,
    }
    await db.table(SEARCH_TABLE).put(state)
    return state
  })
