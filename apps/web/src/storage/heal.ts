import { isTaskOver } from '#domain/is-task-over.ts'
import type { Message } from '#domain/message.ts'
import type { Question } from '#domain/question.ts'
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

/** The conversations in which something is streaming, running or about to: in a tab that is open, or in one that died. Calls by hand are in none. */
export const unfinished = (db: Database): Promise<string[]> =>
  reading(db, [db.streams, db.mcpToolCalls, db.mcpTasks], async () => {
    const streaming = await db.streams.toArray()
    const running = await db.mcpToolCalls.where('status').equals('running').toArray()
    const pending = await db.mcpToolCalls.where('status').equals('pending').filter(isDecided).toArray()
    // What came of a task is not in its conversation yet.
    const ended = await db.mcpTasks.filter((task) => isTaskOver(task) && task.deliveredAt === undefined).toArray()
    const ids = [...streaming, ...running, ...pending, ...ended].map(({ conversationId }) => conversationId)
    return [...new Set(ids.filter((id) => id !== ''))]
  })

/** Inside a transaction: the parts that arrived, without calls that were never written down. */
async function arrivedParts(db: Database, parts: Message['parts']): Promise<Message['parts']> {
  const ids = parts.flatMap((part) => (part.type === 'tool' ? [part.toolCallId] : []))
  const known = new Set((await db.mcpToolCalls.bulkGet(ids)).map((call) => call?.id))
  return parts.filter((part) => part.type !== 'tool' || known.has(part.toolCallId))
}

/**
 * Inside a transaction: a call that was running, and what is known of it now. One that was asked something on a connection that can
 * be picked up waits for the answer, or goes on where it has it; of any other nobody knows the outcome.
 */
export async function afterCrash(db: Database, call: ToolCall, completedAt: number): Promise<ToolCall> {
  const questions = await db.questions.where('toolCallId').equals(call.id).toArray()
  const open = questions.filter(({ state }) => state === 'open')
  const canGoOn = questions.some(({ resumable }) => resumable) && open.every(({ resumable }) => resumable)
  const change: Partial<Question> = canGoOn ? { lasts: true } : { state: 'ended' }
  await db.questions.bulkPut(open.map((question) => ({ ...question, ...change })))
  if (canGoOn) return { ...call, status: open.length > 0 ? 'asking' : 'pending' }
  return { ...call, status: 'unknown', error: LOST, completedAt }
}

/**
 * Puts in order what a crash left of these conversations: what was streaming has stopped with what had arrived, and of what was
 * running nobody knows the outcome. The caller holds the locks of their turns, or would stop a turn that lives.
 */
export const heal = (db: Database, conversationIds: readonly string[]): Promise<void> =>
  writing(db, [db.messages, db.streams, db.mcpToolCalls, db.questions], async () => {
    const completedAt = Date.now()
    for (const { messageId, parts } of await db.streams.where('conversationId').anyOf(conversationIds).toArray()) {
      const message = await db.messages.get(messageId)
      if (message?.status === 'streaming')
        await db.messages.put({ ...message, status: 'stopped', parts: await arrivedParts(db, parts), completedAt })
      await db.streams.delete(messageId)
    }
    const running = await db.mcpToolCalls.where('status').equals('running').toArray()
    const lost = running.filter(({ conversationId }) => conversationIds.includes(conversationId))
    for (const call of lost) await db.mcpToolCalls.put(await afterCrash(db, call, completedAt))
  })
