import type { TaskEnd } from '#domain/task.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { answeredCall, CANCELLED, withoutResult } from './execute-call.ts'
import type { TurnStorage } from './needs.ts'

type TaskStorage = Pick<TurnStorage, 'task' | 'call' | 'endTask'>

/** Writes down how a task ended, and its call with it, once. Gives the conversation that it is news for. */
export async function settleTask(storage: TaskStorage, id: string, end: TaskEnd): Promise<string | undefined> {
  const task = await storage.task(id)
  if (!task) return undefined
  const call = await storage.call(task.toolCallId)
  // Without its call it is over all the same: it would else be looked for at every start.
  const change = call ? endOf(call, end) : {}
  // Some servers report a tool error as a completed task.
  const status = change.status === 'error' ? 'failed' : end.status
  const isOurs = await storage.endTask(id, status, change).catch((error: unknown) => {
    if (end.status !== 'completed' || !call) throw error
    return storage.endTask(id, 'failed', withoutResult(call, error))
  })
  return isOurs ? task.conversationId : undefined
}

function endOf(call: ToolCall, end: TaskEnd): Partial<ToolCall> {
  switch (end.status) {
    case 'completed':
      return answeredCall(call, end.outcome)
    case 'failed':
      return { status: 'error', isError: true, error: end.failure }
    case 'cancelled':
      return { ...CANCELLED, error: end.failure }
    case 'expired':
    case 'left':
      return { status: 'unknown', isError: true, error: end.failure }
  }
}
