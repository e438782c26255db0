import type { Database } from './db.ts'
import { writing } from './in-transaction.ts'

const TRIED = 'trying whether there is room'
/** About what an answer of a model takes, with its calls. */
const TRIED_CHARACTERS = 100_000

/** Writes something, and takes it away again. Rejects with `storage-full` where there is no room for it. */
export async function tryRoom(db: Database): Promise<void> {
  const value = Array.from({ length: TRIED_CHARACTERS / 10 }, () => Math.random().toString(36).padEnd(10).slice(2, 12))
  await writing(db, [db.drafts], async () => {
    await db.drafts.put({ id: TRIED, text: value.join(''), updatedAt: Date.now() })
  })
  await writing(db, [db.drafts], async () => db.drafts.delete(TRIED))
}
