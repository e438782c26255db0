import * as z from 'zod/mini'
import { whyNotAttach } from '#domain/attachment-limits.ts'
import { Failed } from '#domain/failure.ts'
import { type Attachment, attachmentSchema } from '#domain/message.ts'
import { idSchema, textSchema, timeSchema } from '#domain/text.ts'
import { checked } from './checked.ts'
import { attachedId, type Database } from './db.ts'
import { writing } from './in-transaction.ts'

const draftSchema = z.object({ id: idSchema, text: textSchema(), updatedAt: timeSchema })
const attachedSchema = z.extend(draftSchema, { attachments: z.array(attachmentSchema) })

/** Words that were typed and not sent. */
export function createDrafts(db: Database) {
  return {
    save: (id: string, text: string): Promise<void> =>
      writing(db, [db.drafts], async () => {
        if (text === '') await db.drafts.delete(id)
        else await db.drafts.put(checked(draftSchema, { id, text, updatedAt: Date.now() }, 'draft'))
      }),
    attach: (id: string, attachments: readonly Attachment[]): Promise<void> =>
      writing(db, [db.drafts], async () => {
        const problem = whyNotAttach(attachments)
        if (problem !== undefined) throw new Failed('bad-input', problem)
        const row = { id: attachedId(id), text: '', attachments, updatedAt: Date.now() }
        if (attachments.length === 0) await db.drafts.delete(row.id)
        else await db.drafts.put(checked(attachedSchema, row, 'draft'))
      }),
  }
}
