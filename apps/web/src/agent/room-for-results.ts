import type { Message } from '#domain/message.ts'
import { resultText } from '#domain/result-for-model.ts'
import { shareRoom } from '#domain/share-room.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { newestOf } from './newest-of.ts'

/** What a request has for a result, in characters, and how many it has. */
export interface Room {
  most: number
  total: number
}

/** What each result in these messages is given, by its call; what stands last is newest. */
export function roomForResults(messages: readonly Message[], calls: readonly ToolCall[]): ReadonlyMap<string, Room> {
  const byId = new Map(calls.map((call) => [call.id, call]))
  const told = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      if (part.type !== 'tool' && part.type !== 'task') return []
      const call = newestOf(part.toolCallId, byId)
      // What a task brought is told where its end is told.
      return call && (part.type === 'task' || call.taskId === undefined) ? [call] : []
    }),
  )
  const totals = told.map((call) => resultText(call).length)
  const rooms = shareRoom(totals)
  return new Map(told.map(({ id }, at) => [id, { most: rooms[at] ?? 0, total: totals[at] ?? 0 }]))
}

/** Whether a model is given less of a result than there is. */
export const hasCutResult = (messages: readonly Message[], calls: readonly ToolCall[]): boolean =>
  [...roomForResults(messages, calls).values()].some(({ most, total }) => most < total)
