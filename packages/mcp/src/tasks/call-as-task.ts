import { type Connection, fail, type RequestOptions } from '../client/connection.ts'
import { guard } from '../errors.ts'
import type { JsonObject } from '../jsonrpc.ts'
import type { CallToolResult, Progress } from '../model.ts'
import { callPlainly, ONLY_AS_TASK } from './call-plainly.ts'
import { createTask, stopUnseen } from './create-task.ts'
import { follow } from './follow-task.ts'
import { TaskHandle } from './task-handle.ts'
import { taskSupport } from './task-support.ts'

/** Calls a tool of a server that knows tasks. Where it makes one of the call, that is followed to its end. */
export async function callTool(
  connection: Connection,
  name: string,
  args: JsonObject,
  options: RequestOptions = {},
): Promise<CallToolResult> {
  const { config } = connection
  const { maxTotalTimeout = config.requestOptions?.maxTotalTimeout ?? 600_000 } = options
  const began = performance.now()
  const support = await taskSupport(connection, name, options)
  if (config.tasks === false && support === 'required')
    return fail(connection, { method: 'tools/call', params: { name } }, `was not made. ${ONLY_AS_TASK}`, 'protocol')
  if (config.tasks === false || (support !== 'required' && support !== 'server'))
    return callPlainly(connection, name, args, options)
  const made = await createTask(connection, { name, arguments: args }, options)
  return made instanceof TaskHandle ? drive(made, options, began, maxTotalTimeout) : made
}

/** A call that became a task: its progress, its bounds and its abort are those of the call. */
async function drive(
  task: TaskHandle,
  { signal, onProgress }: RequestOptions,
  began: number,
  totalMs: number,
): Promise<CallToolResult> {
  const stop = (): void => {
    task.detach()
    void stopUnseen(task)
  }
  const leftMs = began + totalMs - performance.now()
  const over = (): void =>
    void task.leave(`is not over after ${Math.round(totalMs)} ms, and runs on as a task`, 'timeout')
  const timer = leftMs < 2 ** 31 ? setTimeout(over, leftMs) : undefined
  if (onProgress) tellProgress(task, onProgress)
  task.onunanswered = (problem) => void task.leave('has a question that could not be answered', 'protocol', problem)
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  try {
    task.update()
    follow(task)
    return await task.result({ signal })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

/** What a task says of itself, as progress: its own figures, else the count of what it said. */
function tellProgress(task: TaskHandle, onProgress: (progress: Progress) => void): void {
  const { onUncaughtError } = task.connection.config
  let told: Progress | undefined
  let said: string | undefined
  let changes = 0
  task.onUpdate(({ statusMessage: message, progress }) => {
    if (progress && progress !== told) guard(onUncaughtError, onProgress, progress)
    else if (message && message !== said)
      guard(onUncaughtError, onProgress, { progress: progress?.progress ?? ++changes, message })
    told = progress
    said = message
  })
}
