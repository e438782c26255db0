import { type Connection, fail, type RequestOptions } from '../client/connection.ts'
import type { JsonObject } from '../jsonrpc.ts'
import type { CallToolResult, StartTaskArguments } from '../model.ts'
import { unlessAborted } from '../transport/retry-law.ts'
import { readSeed } from '../wire/read-task.ts'
import { askServer, taskOptions } from './ask-server.ts'
import { askTool } from './ask-tool.ts'
import { isRunning, noteOver, noteRunning } from './live-tasks.ts'
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
  const handleOf = async (result: JsonObject): Promise<TaskHandle | undefined> => {
    const seed = readSeed(era, result)
    if (!seed) return undefined
    // Both calls would get one result, and to stop one would stop the other.
    if (isRunning(connection, seed.taskId)) {
      const about = { method: 'tools/call', params: { name } }
      return fail(connection, about, 'became the task of another call', 'protocol', { lost: true })
    }
    noteRunning(connection, seed.taskId)
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
    return (await handleOf(result)) ?? result
  }
  // The progress of a task goes on after the answer, so its token is not that of the request.
  const own = { ...options, onProgress: undefined, signal: undefined, meta: { progressToken } }
  const task = { ...(ttlMs !== undefined && { ttl: ttlMs }) }
  signal?.throwIfAborted()
  const creating = askTool(connection, { name, arguments: args, task }, { ...taskOptions(connection), ...own })
  let made: ReturnType<typeof handleOf> | undefined
  const once = (result: JsonObject): ReturnType<typeof handleOf> => (made ??= handleOf(result))
  const stop = (): void => {
    // A task ends by its own id only: it is told to as soon as that is known.
    creating.then(async (result) => stopUnseen(await once(result))).catch(() => {})
  }
  signal?.addEventListener('abort', stop)
  try {
    const result = await unlessAborted(creating, signal)
    return (await once(result)) ?? result
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/** Tells the server that nobody wants a task, without waiting for what it says. */
export async function stopUnseen(task: TaskHandle | undefined): Promise<void> {
  if (!task) return
  await askServer(task, 'tasks/cancel', {}, { signal: undefined }).then(
    () => noteOver(task.connection, task.id!),
    () => {},
  )
}
