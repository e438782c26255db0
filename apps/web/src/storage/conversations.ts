import { type Conversation, conversationSchema } from '#domain/conversation.ts'
import { Failed } from '#domain/failure.ts'
import { checked } from './checked.ts'
import type { Attachment } from '#domain/message.ts'
import { type Database, draftIds } from './db.ts'
import { reading, writing } from './in-transaction.ts'
import { appendTo, userMessage } from './messages.ts'
import { bringBack, findRow, markDeleted, unlessDeleted } from './soft-delete.ts'

const WHAT = 'conversation'

/** Conversations: begun, named, shown by branch, deleted with a way back. */
export function createConversations(db: Database) {
  const change = (id: string, decide: (found: Conversation) => Partial<Conversation>) =>
    writing(db, [db.conversations], async () => {
      const found = await findRow(db.conversations, id, WHAT)
      await db.conversations.put(checked(conversationSchema, { ...found, ...decide(found) }, WHAT))
    })

  return {
    /** One that is deleted is not there. */
    conversation: (id: string): Promise<Conversation | undefined> =>
      reading(db, [db.conversations], async () => {
        return unlessDeleted(await db.conversations.get(id))
      }),

    /** A new conversation with its first message; the draft of it is gone, or with `takesDraft` one of the conversation. */
    start: ({
      gptId,
      title,
      text,
      attachments,
      takesDraft = false,
    }: {
      gptId: string
      title: string
      text: string
      attachments?: readonly Attachment[] | undefined
      takesDraft?: boolean | undefined
    }): Promise<Conversation> =>
      writing(db, [db.gpts, db.conversations, db.messages, db.streams, db.drafts], async () => {
        await findRow(db.gpts, gptId, 'GPT')
        const now = Date.now()
        const branchId = crypto.randomUUID()
        const conversation = checked(
          conversationSchema,
          {
            id: crypto.randomUUID(),
            gptId,
            title,
            titledBy: 'app',
            branches: [{ id: branchId, parentId: null, from: 0 }],
            branchId,
            createdAt: now,
            updatedAt: now,
          },
          WHAT,
        )
        await appendTo(db, conversation, userMessage(conversation.id, text, attachments))
        const ids = draftIds(`new:${gptId}`)
        const drafts = takesDraft ? await db.drafts.bulkGet(ids) : []
        for (const [at, id] of draftIds(conversation.id).entries()) {
          const draft = drafts[at]
          if (draft) await db.drafts.put({ ...draft, id })
        }
        await db.drafts.bulkDelete(ids)
        return conversation
      }),

    /** A title of the user stays, whatever the app would call it. */
    renameConversation: (id: string, title: string, by: 'app' | 'user'): Promise<void> =>
      change(id, ({ titledBy }) => (by === 'app' && titledBy === 'user' ? {} : { title, titledBy: by })),

    switchBranch: (id: string, branchId: string): Promise<void> =>
      change(id, ({ branches }) => {
        if (!branches.some((branch) => branch.id === branchId))
          throw new Failed('not-found', 'This version is not in the conversation any more.')
        return { branchId }
      }),

    remove: (id: string): Promise<void> =>
      writing(db, [db.conversations], async () => {
        await markDeleted(db.conversations, id, WHAT)
      }),

    restore: (id: string): Promise<void> =>
      writing(db, [db.conversations], async () => {
        await bringBack(db.conversations, id, WHAT)
      }),
  }
}
