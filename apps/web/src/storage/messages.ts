import * as z from 'zod/mini'
import { whyNotAttach } from '#domain/attachment-limits.ts'
import { branchAt, fork, stretches } from '#domain/branches.ts'
import { type Conversation, conversationSchema } from '#domain/conversation.ts'
import { Failed } from '#domain/failure.ts'
import { type Attachment, type Message, messageSchema, type Stream, streamSchema } from '#domain/message.ts'
import { textSchema } from '#domain/text.ts'
import { type ToolCall, toolCallSchema } from '#domain/tool-call.ts'
import { checked } from './checked.ts'
import { type Database, draftIds } from './db.ts'
import { reading, writing } from './in-transaction.ts'
import { lastShown, shownMessages } from './shown.ts'
import { findRow } from './soft-delete.ts'

export type NewMessage = Omit<Message, 'order' | 'branchId' | 'createdAt'>

const WHAT = 'conversation'

const trimmed = textSchema().check(z.trim())
const userText = z.object({ text: trimmed.check(z.minLength(1)) })
/** One that brings something along needs no words. */
const textBeside = z.object({ text: trimmed })

/** A message of the user, as it is about to be appended: what is attached stands before the words about it. */
export function userMessage(
  conversationId: string,
  typed: string,
  attachments: readonly Attachment[] = [],
): NewMessage {
  const { text } = checked(attachments.length > 0 ? textBeside : userText, { text: typed }, 'message')
  const problem = whyNotAttach(attachments)
  if (problem !== undefined) throw new Failed('bad-input', problem)
  return {
    id: crypto.randomUUID(),
    conversationId,
    role: 'user',
    parts: [...attachments, ...(text === '' ? [] : [{ type: 'text' as const, text }])],
    status: 'done',
  }
}

/** Inside a transaction on conversations, messages and streams: adds at the end of what is shown. */
export async function appendTo(db: Database, conversation: Conversation, message: NewMessage): Promise<Message> {
  const now = Date.now()
  const last = (await lastShown(db, conversation, 1)).at(0)
  const order = Math.max(last ? last.order + 1 : 0, stretches(conversation).at(-1)?.from ?? 0)
  const row = checked(messageSchema, { ...message, branchId: conversation.branchId, order, createdAt: now }, 'message')
  await db.messages.add(row)
  // What a crash leaves streaming is found again by this row, which is there before anything has arrived.
  if (row.status === 'streaming')
    await db.streams.put({
      messageId: row.id,
      conversationId: row.conversationId,
      parts: [],
      arriving: [],
      updatedAt: now,
    })
  await db.conversations.put({ ...conversation, updatedAt: now })
  return row
}

async function branchOff(
  db: Database,
  conversation: Conversation,
  message: Message | undefined,
): Promise<Conversation> {
  if (
    !message ||
    message.conversationId !== conversation.id ||
    branchAt(conversation, message.order) !== message.branchId
  )
    throw new Failed('not-found', 'This message is not in what is shown of the conversation any more.')
  const forked = checked(
    conversationSchema,
    { ...conversation, ...fork(conversation, message.order, crypto.randomUUID()), updatedAt: Date.now() },
    WHAT,
  )
  await db.conversations.put(forked)
  return forked
}

/** Messages of conversations, and what has arrived of those that stream. */
export function createMessages(db: Database) {
  const tables = [db.conversations, db.messages, db.streams]

  return {
    shown: (conversationId: string): Promise<Message[]> =>
      reading(db, [db.conversations, db.messages], async () => {
        const conversation = await db.conversations.get(conversationId)
        return conversation ? shownMessages(db, conversation) : []
      }),

    append: (message: NewMessage): Promise<Message> =>
      writing(db, tables, async () =>
        appendTo(db, await findRow(db.conversations, message.conversationId, WHAT), message),
      ),

    /** What the user typed, at the end of what is shown; the draft of it is gone. */
    send: (conversationId: string, text: string, attachments?: readonly Attachment[]): Promise<Message> =>
      writing(db, [...tables, db.drafts], async () => {
        const message = userMessage(conversationId, text, attachments)
        await db.drafts.bulkDelete(draftIds(conversationId))
        return appendTo(db, await findRow(db.conversations, conversationId, WHAT), message)
      }),

    /** Says it differently: the new words stand on a branch of their own, the old ones stay on theirs. */
    edit: (
      conversationId: string,
      messageId: string,
      text: string,
      attachments?: readonly Attachment[],
    ): Promise<Message> =>
      writing(db, tables, async () => {
        const message = userMessage(conversationId, text, attachments)
        const conversation = await findRow(db.conversations, conversationId, WHAT)
        return appendTo(db, await branchOff(db, conversation, await db.messages.get(messageId)), message)
      }),

    /** A branch that ends just before this message, so that it can be answered anew. */
    branchBefore: (conversationId: string, messageId: string): Promise<Conversation> =>
      writing(db, tables, async () =>
        branchOff(db, await findRow(db.conversations, conversationId, WHAT), await db.messages.get(messageId)),
      ),

    grow: (stream: Omit<Stream, 'updatedAt'>): Promise<void> =>
      writing(db, [db.messages, db.streams], async () => {
        const message = await db.messages.get(stream.messageId)
        // One that comes late would bring back what the end of the message has cleared away.
        if (message?.status !== 'streaming') return
        await db.streams.put(checked(streamSchema, { ...stream, updatedAt: Date.now() }, 'message'))
      }),

    complete: (messageId: string, change: Partial<Message>, calls: readonly ToolCall[]): Promise<boolean> =>
      writing(db, [db.messages, db.streams, db.mcpToolCalls], async () => {
        const message = await db.messages.get(messageId)
        if (message?.status !== 'streaming') return false
        const ended = { ...message, status: 'done', completedAt: Date.now(), ...change }
        await db.messages.put(checked(messageSchema, ended, 'message'))
        await db.mcpToolCalls.bulkAdd(calls.map((call) => checked(toolCallSchema, call, 'tool call')))
        await db.streams.delete(messageId)
        return true
      }),
  }
}
