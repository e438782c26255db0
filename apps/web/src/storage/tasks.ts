import type { Conversation } from '#domain/conversation.ts'
import { isTaskOver, isTaskTold } from '#domain/is-task-over.ts'
import { type Task, taskSchema } from '#domain/task.ts'
import { type ToolCall, toolCallSchema } from '#domain/tool-call.ts'
import { checked } from './checked.ts'
import type { Database } from './db.ts'
import { reading, writing } from './in-transaction.ts'
import { appendTo, type NewMessage } from './messages.ts'
import { observe } from './observe.ts'
import { shownMessages } from './shown.ts'
import { unlessDeleted } from './soft-delete.ts'

const OPEN: readonly Task['status'][] = ['working', 'input_required']

/** The message that brings what came of a task; its id is that of the task, so there is never a second. */
const resultMessage = ({ id, conversationId, toolCallId }: Task): NewMessage => ({
  id: `${id}:result`,
  conversationId,
  role: 'user',
  parts: [{ type: 'task', toolCallId }],
  status: 'done',
})

/** Calls that go on at their servers as tasks. */
export function createTasks(db: Database) {
  const tables = [db.mcpTasks, db.mcpToolCalls]
  // Their ids alone: a task that tells how it goes, many times a second, is no news to who wants to know which there are.
  const openIds = () =>
    db.mcpTasks
      .where('status')
      .anyOf([...OPEN])
      .primaryKeys()

  return {
    task: (id: string): Promise<Task | undefined> => reading(db, [db.mcpTasks], async () => db.mcpTasks.get(id)),

    /** Hears which tasks are not over, now and whenever that changes, in whichever tab. Returns what ends it. */
    watchTasks: (hear: (ids: string[]) => void): (() => void) => observe(openIds, { next: hear, error: () => {} }),

    /** Hears of one task, now and whenever it changes. */
    watchTask: (id: string, hear: (task: Task | undefined) => void): (() => void) =>
      observe(() => db.mcpTasks.get(id), { next: hear, error: () => {} }),

    /** A call goes on as a task from now on, and its turn without it. False where it does not run any more. */
    beginTask: (task: Task, reply?: string): Promise<boolean> =>
      writing(db, tables, async () => {
        const call = await db.mcpToolCalls.get(task.toolCallId)
        if (call?.status !== 'running') return false
        await db.mcpTasks.put(checked(taskSchema, task, 'task'))
        const change = { status: 'task', taskId: task.id, ...(reply !== undefined && { taskReply: reply }) }
        await db.mcpToolCalls.put(checked(toolCallSchema, { ...call, ...change }, 'tool call'))
        return true
      }),

    /** Changes a task that is not over. False where it is, or is gone. */
    changeTask: (id: string, change: Partial<Task>): Promise<boolean> =>
      writing(db, [db.mcpTasks], async () => {
        const found = await db.mcpTasks.get(id)
        if (!found || isTaskOver(found)) return false
        await db.mcpTasks.put(checked(taskSchema, { ...found, ...change, id, updatedAt: Date.now() }, 'task'))
        return true
      }),

    /** The end of a task and of its call, together. False where another was faster. */
    endTask: (id: string, status: Task['status'], change: Partial<ToolCall>): Promise<boolean> =>
      writing(db, [...tables, db.questions], async () => {
        const task = await db.mcpTasks.get(id)
        if (!task || isTaskOver(task)) return false
        const now = Date.now()
        const { trouble: _, ...rest } = task
        await db.mcpTasks.put(checked(taskSchema, { ...rest, status, updatedAt: now, completedAt: now }, 'task'))
        await db.questions
          .where('toolCallId')
          .equals(task.toolCallId)
          .filter(({ state }) => state === 'open')
          .modify({ state: 'ended' })
        const call = await db.mcpToolCalls.get(task.toolCallId)
        if (call?.status === 'task')
          await db.mcpToolCalls.put(
            checked(toolCallSchema, { ...call, ...change, taskStatus: status, completedAt: now }, 'tool call'),
          )
        return true
      }),

    /** Forgets those that are over and told. */
    clear: (): Promise<void> =>
      writing(db, [db.mcpTasks], async () => {
        await db.mcpTasks.filter(isTaskTold).delete()
      }),

    /** Whether something came of tasks that this conversation, as it is shown now, has not been told. */
    hasNews: (conversationId: string): Promise<boolean> =>
      reading(db, [...tables, db.conversations, db.messages], async () => {
        const conversation = unlessDeleted(await db.conversations.get(conversationId))
        return conversation !== undefined && (await untold(db, conversation)).length > 0
      }),

    /** Brings what came of the tasks of this conversation into it, each once. False where there was none. */
    deliverTasks: (conversationId: string): Promise<boolean> =>
      writing(db, [...tables, db.conversations, db.messages, db.streams], async () => {
        const conversation = unlessDeleted(await db.conversations.get(conversationId))
        if (!conversation) return false
        const tasks = await untold(db, conversation)
        for (const task of tasks.sort((a, b) => (a.completedAt ?? 0) - (b.completedAt ?? 0))) {
          const current = await db.conversations.get(conversationId)
          if (current) await appendTo(db, current, resultMessage(task))
          await db.mcpTasks.put({ ...task, deliveredAt: Date.now() })
        }
        return tasks.length > 0
      }),
  }
}

/** Inside a transaction: those that are over and not told. What was asked for on another branch is told when somebody comes back to it. */
async function untold(db: Database, conversation: Conversation): Promise<Task[]> {
  const ended = await db.mcpTasks
    .where('conversationId')
    .equals(conversation.id)
    .filter((task) => isTaskOver(task) && task.deliveredAt === undefined)
    .toArray()
  if (ended.length === 0) return []
  const shown = new Set((await shownMessages(db, conversation)).map(({ id }) => id))
  const calls = await db.mcpToolCalls.bulkGet(ended.map(({ toolCallId }) => toolCallId))
  return ended.filter((_, at) => shown.has(calls[at]?.messageId ?? ''))
}
