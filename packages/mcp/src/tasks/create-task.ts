import type { Connection, RequestOptions } from '../client/connection.ts'
import type { JsonObject } from '../jsonrpc.ts'
import type { CallToolResult, StartTaskArguments } from '../model.ts'
import { unlessAborted } from '../transport/retry-law.ts'
import { readSeed } from '../wire/read-task.ts'
import { askServer, taskOptions } from './ask-server.ts'
import { askTool } from './ask-tool.ts'
import { TaskHandle } from './task-handle.ts'

let tokens = 0

/** Calls a tool whose answer may be a task: the task, not yet followed, or the result of a tool that answered at once. */
export async function createTask(
  connection: Connection,
  { name, arguments: args, ttlMs, pollIntervalMs = 0 }: StartTaskArguments,
  options: RequestOptions = {},
): Promise<TaskHandle | CallToolResult> {
  const { era } = connection
  const { signal } = options
  const progressToken = era.stateless ? undefined : `task-${connection.nonce}-${++tokens}`
  const handleOf = (result: JsonObject): TaskHandle | undefined => {
    const seed = readSeed(era, result)
    if (!seed) return undefined
    const task = new TaskHandle(connection, name, seed.taskId)
    task.progressToken = progressToken
    task.minimumMs = pollIntervalMs
    task.take(seed)
    // What it was made with holds neither a result nor questions.
    task.ended = false
    task.quiet = 0
    task.lookIn(seed.status === 'working' ? undefined : 0)
    return task
  }
  if (era.stateless) {
    const result = await askTool(connection, { name, arguments: args }, { ...options, ...taskOptions(connection) })
    return handleOf(result) ?? result
  }
  // The progress of a task goes on after the answer, so its token is not that of the request.
  const own = { ...options, onProgress: undefined, signal: undefined, meta: { progressToken } }
  const task = { ...(ttlMs !== undefined && { ttl: ttlMs }) }
  signal?.throwIfAborted()
  const creating = askTool(connection, { name, arguments: args, task }, { ...taskOptions(connection), ...own })
  const stop = (): void => {
    // A task ends by its own id only: it is told to as soon as that is known.
    creating.then((result) => stopUnseen(handleOf(result))).catch(() => {})
  }
  signal?.addEventListener('abort', stop)
  try {
    const result = await unlessAborted(creating, signal)
    return handleOf(result) ?? result
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/** Tells the server that nobody wants a task, without waiting for what it says. */
export async function stopUnseen(task: TaskHandle | undefined): Promise<void> {
  if (task) await askServer(task, 'tasks/cancel', {}, { signal: undefined }).catch(() => {})
}
