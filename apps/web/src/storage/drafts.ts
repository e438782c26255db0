import * as z from 'zod/mini'
import { idSchema, textSchema, timeSchema } from '#domain/text.ts'
import { checked } from './checked.ts'
import type { Database } from './db.ts'
import { writing } from './in-transaction.ts'

const draftSchema = z.object({ id: idSchema, text: textSchema(), updatedAt: timeSchema })

/** Words that were typed and not sent. */
export function createDrafts(db: Database) {
  return {
    save: (id: string, text: string): Promise<void> =>
      writing(db, [db.drafts], async () => {
        if (text === '') await db.drafts.delete(id)
        else await db.drafts.put(checked(draftSchema, { id, text, updatedAt: Date.now() }, 'draft'))
      }),
  }
}
