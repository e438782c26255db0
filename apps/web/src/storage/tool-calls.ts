import { type ToolCall, type ToolCallStatus, toolCallSchema } from '#domain/tool-call.ts'
import { checked } from './checked.ts'
import type { Database } from './db.ts'
import { reading, writing } from './in-transaction.ts'

/** The calls of tools, from the moment a model asks for one. */
export function createToolCalls(db: Database) {
  return {
    call: (id: string): Promise<ToolCall | undefined> =>
      reading(db, [db.mcpToolCalls], async () => db.mcpToolCalls.get(id)),

    callsOf: (messageIds: readonly string[]): Promise<ToolCall[]> =>
      reading(db, [db.mcpToolCalls], async () => db.mcpToolCalls.where('messageId').anyOf(messageIds).toArray()),

    addCalls: (calls: readonly ToolCall[]): Promise<void> =>
      writing(db, [db.mcpToolCalls], async () => {
        await db.mcpToolCalls.bulkAdd(calls.map((call) => checked(toolCallSchema, call, 'tool call')))
      }),

    /** Changes a call only while its status is one of `from`. False where another was faster. */
    changeCall: (id: string, from: readonly ToolCallStatus[], change: Partial<ToolCall>): Promise<boolean> =>
      writing(db, [db.mcpToolCalls], async () => {
        const call = await db.mcpToolCalls.get(id)
        if (!call || !from.includes(call.status)) return false
        await db.mcpToolCalls.put(checked(toolCallSchema, { ...call, ...change, id }, 'tool call'))
        return true
      }),
  }
}
