import { isCallOver } from '#domain/is-call-over.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import type { Database } from './db.ts'
import { afterCrash } from './heal.ts'
import { reading, writing } from './in-transaction.ts'

/** Of each server so many calls by hand are kept, the last ones. */
export const KEPT_BY_HAND = 200

const NOT_SENT = {
  code: 'stopped',
  message: 'The app was closed before this call was made. Nothing was sent.',
} as const

const UNFINISHED: readonly ToolCall['status'][] = ['pending', 'running']

export const isOverByHand = ({ conversationId, status }: ToolCall) => conversationId === '' && isCallOver({ status })

/** Calls of people: they belong to no conversation. */
export function createCallsByHand(db: Database) {
  return {
    /** Those that run, or are about to: in a tab that is open, or in one that died. */
    unfinishedByHand: (): Promise<ToolCall[]> =>
      reading(db, [db.mcpToolCalls], async () =>
        db.mcpToolCalls
          .where('status')
          .anyOf([...UNFINISHED])
          .filter(({ conversationId }) => conversationId === '')
          .toArray(),
      ),

    /** Puts in order one that nobody works at any more. The caller holds its lock. */
    healByHand: (id: string): Promise<void> =>
      writing(db, [db.mcpToolCalls, db.questions], async () => {
        const call = await db.mcpToolCalls.get(id)
        if (call?.status === 'running') await db.mcpToolCalls.put(await afterCrash(db, call, Date.now()))
        if (call?.status !== 'pending') return
        // One that was asked something had begun: it waits to go on with the answer.
        if ((await db.questions.where('toolCallId').equals(id).count()) > 0) return
        await db.mcpToolCalls.put({ ...call, status: 'cancelled', error: NOT_SENT, completedAt: Date.now() })
      }),

    /** One that still runs, and one of a conversation, stays. */
    removeByHand: (id: string): Promise<void> =>
      writing(db, [db.mcpToolCalls, db.questions, db.mcpTasks], async () => {
        const call = await db.mcpToolCalls.get(id)
        if (call && isOverByHand(call)) await forgetCalls(db, [id])
      }),

    clearByHand: (serverId: string, toolName: string): Promise<void> =>
      writing(db, [db.mcpToolCalls, db.questions, db.mcpTasks], async () => {
        const calls = await db.mcpToolCalls
          .where('[serverId+toolName+conversationId]')
          .equals([serverId, toolName, ''])
          .toArray()
        await forgetCalls(
          db,
          calls.filter(isOverByHand).map(({ id }) => id),
        )
      }),
  }
}

/** Inside a transaction: the ids of the calls by hand of these servers, by server, oldest first. No row is read: results are large. */
async function idsByServer(db: Database, serverIds?: readonly string[]): Promise<Map<string, string[]>> {
  const byServer = new Map<string, string[]>()
  const note = ([serverId, , conversationId]: string[], { primaryKey }: { primaryKey: unknown }) => {
    if (conversationId !== '' || serverId === undefined) return
    byServer.set(serverId, [...(byServer.get(serverId) ?? []), primaryKey as string])
  }
  const index = db.mcpToolCalls.where('[serverId+toolName+conversationId]')
  // A list is after every text, and a shorter list before a longer one.
  const ranges = serverIds ? serverIds.map((id) => index.between([id], [id, []])) : [index.between([], [[]])]
  for (const one of ranges) await one.eachKey((key, cursor) => note(key as unknown as string[], cursor))
  // Their ids begin with the time.
  for (const ids of byServer.values()) ids.sort()
  return byServer
}

/** Inside a transaction: all calls by hand of these servers, which are gone. */
export async function purgeByHand(db: Database, serverIds: readonly string[]): Promise<void> {
  for (const ids of (await idsByServer(db, serverIds)).values()) await forgetCalls(db, ids)
}

/** Inside a transaction: of each server the last calls stay. */
export async function trimByHand(db: Database): Promise<void> {
  // While there are so few of all servers together, none has too many.
  if ((await db.mcpToolCalls.where('conversationId').equals('').count()) <= KEPT_BY_HAND) return
  for (const ids of (await idsByServer(db)).values()) await forgetCalls(db, ids.slice(0, -KEPT_BY_HAND))
}

/** Inside a transaction: with what hangs on them. */
export async function forgetCalls(db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.questions.where('toolCallId').anyOf(ids).delete()
  await db.mcpTasks.where('toolCallId').anyOf(ids).delete()
  await db.mcpToolCalls.bulkDelete([...ids])
}
