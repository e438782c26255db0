import { isTaskTold } from '#domain/is-task-over.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { forgetCalls, isOverByHand } from './calls-by-hand.ts'
import type { Database } from './db.ts'
import { reading, writing } from './in-transaction.ts'

/** What can go without being missed: messages with servers, tasks that are over and told, calls that were made by hand. */
export type Prunable = 'recordings' | 'tasks' | 'callsByHand'

const toldTasks = (db: Database) => db.mcpTasks.filter(isTaskTold)
const callsByHand = (db: Database) => db.mcpToolCalls.where('conversationId').equals('').filter(isOverByHand)

/** How many there are, and about how many characters they take. */
export const prunable = (db: Database): Promise<Record<Prunable, { count: number; characters: number }>> =>
  reading(db, [db.recordings, db.mcpTasks, db.mcpToolCalls], async () => {
    const sum = async (each: (take: (row: object) => void) => Promise<void>) => {
      const found = { count: 0, characters: 0 }
      await each((row) => {
        found.count += 1
        found.characters += JSON.stringify(row).length
      })
      return found
    }
    return {
      recordings: await sum((take) => db.recordings.each(take)),
      tasks: await sum((take) => toldTasks(db).each(take)),
      callsByHand: await sum((take) => callsByHand(db).each((call: ToolCall) => take(call))),
    }
  })

/** Only takes away: a disk that is full has room for that. */
export const prune = (db: Database, kinds: readonly Prunable[]): Promise<void> =>
  writing(db, [db.recordings, db.mcpTasks, db.mcpToolCalls, db.questions], async () => {
    if (kinds.includes('recordings')) await db.recordings.clear()
    if (kinds.includes('tasks')) await db.mcpTasks.bulkDelete(await toldTasks(db).primaryKeys())
    if (kinds.includes('callsByHand')) await forgetCalls(db, await callsByHand(db).primaryKeys())
  })
