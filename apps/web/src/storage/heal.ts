import type { Message } from '#domain/message.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import type { Database } from './db.ts'
import { reading, writing } from './in-transaction.ts'

const LOST = {
  code: 'outcome-unknown',
  message:
    'The app was closed while this tool ran, so nobody knows whether it did its work. Look before you run it again.',
} as const

/** A call that nobody has to be asked about any more: its turn was about to run it. */
const isDecided = ({ approval }: ToolCall) => approval?.state !== 'requested'

/** The conversations in which something is streaming, running or about to: in a tab that is open, or in one that died. */
export const unfinished = (db: Database): Promise<string[]> =>
  reading(db, [db.streams, db.mcpToolCalls], async () => {
    const streaming = await db.streams.toArray()
    const running = await db.mcpToolCalls.where('status').equals('running').toArray()
    const pending = await db.mcpToolCalls.where('status').equals('pending').filter(isDecided).toArray()
    return [...new Set([...streaming, ...running, ...pending].map(({ conversationId }) => conversationId))]
  })

/** Inside a transaction: the parts that arrived, without calls that were never written down. */
async function arrivedParts(db: Database, parts: Message['parts']): Promise<Message['parts']> {
  const ids = parts.flatMap((part) => (part.type === 'tool' ? [part.toolCallId] : []))
  const known = new Set((await db.mcpToolCalls.bulkGet(ids)).map((call) => call?.id))
  return parts.filter((part) => part.type !== 'tool' || known.has(part.toolCallId))
}

/**
 * Puts in order what a crash left of these conversations: what was streaming has stopped with what had arrived, and of what was
 * running nobody knows the outcome. The caller holds the locks of their turns, or would stop a turn that lives.
 */
export const heal = (db: Database, conversationIds: readonly string[]): Promise<void> =>
  writing(db, [db.messages, db.streams, db.mcpToolCalls], async () => {
    const completedAt = Date.now()
    for (const { messageId, parts } of await db.streams.where('conversationId').anyOf(conversationIds).toArray()) {
      const message = await db.messages.get(messageId)
      if (message?.status === 'streaming')
        await db.messages.put({ ...message, status: 'stopped', parts: await arrivedParts(db, parts), completedAt })
      await db.streams.delete(messageId)
    }
    const running = await db.mcpToolCalls.where('status').equals('running').toArray()
    const lost = running.filter(({ conversationId }) => conversationIds.includes(conversationId))
    await db.mcpToolCalls.bulkPut(lost.map((call) => ({ ...call, status: 'unknown', error: LOST, completedAt })))
  })
