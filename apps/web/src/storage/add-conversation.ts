import { conversationSchema } from '#domain/conversation.ts'
import type { ReadConversation } from '#domain/conversation-file.ts'
import { type Message, messageSchema } from '#domain/message.ts'
import { toolCallSchema } from '#domain/tool-call.ts'
import { checked } from './checked.ts'
import type { Database } from './db.ts'
import { writing } from './in-transaction.ts'
import { findRow } from './soft-delete.ts'

/** Adds a conversation that was read from a file, whole or not at all. */
export const addConversation = (db: Database, gptId: string, read: ReadConversation): Promise<string> =>
  writing(db, [db.gpts, db.conversations, db.messages, db.mcpToolCalls], async () => {
    await findRow(db.gpts, gptId, 'GPT')
    const id = crypto.randomUUID()
    const branchId = crypto.randomUUID()
    const { title, createdAt, updatedAt } = read
    const branches = [{ id: branchId, parentId: null, from: 0 }]
    await db.conversations.add(
      checked(
        conversationSchema,
        { id, gptId, title, titledBy: 'user', branches, branchId, createdAt, updatedAt },
        'conversation',
      ),
    )
    const owners = new Map<string, string>()
    const messages = read.messages.map((given, order): Message => {
      const message = checked(
        messageSchema,
        { ...given, id: crypto.randomUUID(), conversationId: id, branchId, order },
        'message',
      )
      for (const part of message.parts) if (part.type === 'tool') owners.set(part.toolCallId, message.id)
      return message
    })
    await db.messages.bulkAdd(messages)
    await db.mcpToolCalls.bulkAdd(
      read.calls.map((given) => {
        const messageId = owners.get(given.repeats ?? given.id) ?? ''
        owners.set(given.id, messageId)
        return checked(toolCallSchema, { ...given, conversationId: id, messageId, gptId }, 'tool call')
      }),
    )
    return id
  })
