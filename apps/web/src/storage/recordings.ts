import { type Recording, recordingSchema } from '#domain/recording.ts'
import { checked } from './checked.ts'
import type { Database } from './db.ts'
import { writing } from './in-transaction.ts'

/** So many messages, and so many characters of them, are kept; the oldest go first. */
const MOST_MESSAGES = 5_000
const MOST_CHARACTERS = 5_000_000
const PRUNE_EVERY = 20

/** The last messages to and from all servers. */
export function createRecordings(db: Database, most = MOST_MESSAGES, mostCharacters = MOST_CHARACTERS) {
  let writes = 0

  /** Inside a transaction: newest first, until the measure is full; what lies beyond goes. */
  const prune = async () => {
    let messages = 0
    let characters = 0
    let last: number | undefined
    const isFull = ({ id, text }: Recording) => {
      messages += 1
      characters += text.length
      if (messages <= most && characters <= mostCharacters) return false
      last = id
      return true
    }
    await db.recordings
      .reverse()
      .until(isFull, true)
      .each(() => {})
    if (last !== undefined) await db.recordings.where('id').belowOrEqual(last).delete()
  }

  return {
    keep: (recordings: readonly Omit<Recording, 'id'>[]): Promise<void> =>
      writing(db, [db.recordings], async () => {
        await db.recordings.bulkAdd(recordings.map((one) => checked(recordingSchema, one, 'recording')))
        writes += 1
        // To look at all of them each time would cost more than what it takes away.
        if (writes % PRUNE_EVERY === 1) await prune()
      }),

    clear: (): Promise<void> =>
      writing(db, [db.recordings], async () => {
        await db.recordings.clear()
      }),
  }
}
