import type { ToolCall } from '#domain/tool-call.ts'
import type { Database } from './db.ts'

/** The last calls that the user made of a tool, newest first. Their ids begin with the time: no other row is read. */
export const callsByHand = (
  db: Database,
  { serverId, toolName, limit }: { serverId: string; toolName: string; limit: number },
): Promise<ToolCall[]> =>
  db.mcpToolCalls
    .where('[serverId+toolName+conversationId]')
    .equals([serverId, toolName, ''])
    .reverse()
    .limit(limit)
    .toArray()

export const toolCall = (db: Database, id: string): Promise<ToolCall | undefined> => db.mcpToolCalls.get(id)
