import { type Connection, fail, report } from '../client/connection.ts'
import { must } from '../errors.ts'
import { isObject } from '../jsonrpc.ts'
import type { ResumeTaskOptions, SavedTask, Task } from '../model.ts'
import { unlessAborted } from '../transport/retry-law.ts'
import { follow } from './follow-task.ts'
import { liveTasks } from './live-tasks.ts'
import { TaskHandle } from './task-handle.ts'

/** Tasks that several have come back to: one of them alone cannot leave them. */
const shared = new WeakSet<TaskHandle>()

/** Goes on with a task that was saved. Resolves when the server has said how it stands, or could not be asked. */
export async function resumeTask(
  connection: Connection,
  saved: SavedTask,
  { onUpdate, pollIntervalMs: minimumMs = 0, signal }: ResumeTaskOptions = {},
): Promise<Task> {
  must(isObject(saved) && saved.version === 1 && typeof saved.taskId === 'string', 'Needs what save() returned')
  must(onUpdate === undefined || typeof onUpdate === 'function', 'onUpdate must be a function')
  must(minimumMs >= 0, 'pollIntervalMs must be a number of milliseconds')
  const { taskId, name, place } = saved
  must(place === connection.place, `The task is at ${place}, not at ${connection.place}`)
  signal?.throwIfAborted()
  const live = liveTasks(connection).get(taskId)
  if (live) {
    shared.add(live)
    live.minimumMs = Math.max(live.minimumMs, minimumMs)
    if (onUpdate) live.onUpdate(onUpdate)
    return live
  }
  const { era, server } = connection
  // A server that changed its era knows nothing of the tasks of the other.
  if (era.stateless !== !saved.session)
    return fail(
      connection,
      { method: 'tasks/get', params: { name } },
      `speaks ${server.protocolVersion} now`,
      'protocol',
    )
  const task = new TaskHandle(connection, name, taskId)
  const { status, createdAt, seenAt, ttlMs, pollIntervalMs, progressToken, cancelRequested, session } = saved
  Object.assign(task, { status, createdAt, seenAt, ttlMs, pollIntervalMs, progressToken, cancelRequested, session })
  for (const [key, digest] of Object.entries(saved.answered ?? {}))
    task.asked.set(key, { digest, state: 'answered', failures: 0 })
  task.minimumMs = minimumMs
  if (onUpdate) task.onUpdate(onUpdate)
  task.update()
  follow(task)
  const looked = new Promise<void>((resolve) => {
    if (task.leaving.signal.aborted) resolve()
    task.onlook = resolve
    task.onleave.add(resolve)
  })
  await unlessAborted(looked, signal).catch((reason: unknown) => {
    if (!shared.has(task)) task.detach()
    throw reason
  })
  askAgain(task, saved.questions).catch(report(connection))
  return task
}

/** In the session era: a question that was told once is open for as long as the task needs its answer. */
async function askAgain({ status, connection, session }: TaskHandle, questions: SavedTask['questions']): Promise<void> {
  if (status !== 'input_required' || session?.sessionId !== connection.transport.sessionId) return
  for (const question of questions ?? []) connection.transport.onmessage?.({ jsonrpc: '2.0', ...question })
}
