import type { Connection, RequestOptions } from '../client/connection.ts'
import { must } from '../errors.ts'
import type { StartTaskArguments, Task } from '../model.ts'
import { callPlainly } from './call-plainly.ts'
import { createTask } from './create-task.ts'
import { follow } from './follow-task.ts'
import { TaskHandle } from './task-handle.ts'
import { taskSupport } from './task-support.ts'

/** Calls a tool as a task where the server can; a tool that answers at once gives a handle that is over. */
export async function startTask(
  connection: Connection,
  { options, ...args }: StartTaskArguments & { options?: RequestOptions | undefined },
): Promise<Task> {
  const { name, onUpdate, pollIntervalMs = 0 } = args
  must(typeof name === 'string', 'The tool needs a name')
  must(onUpdate === undefined || typeof onUpdate === 'function', 'onUpdate must be a function')
  must(pollIntervalMs >= 0, 'pollIntervalMs must be a number of milliseconds')
  const able = (await taskSupport(connection, name, options)) !== 'forbidden'
  const made = able
    ? await createTask(connection, args, options)
    : await callPlainly(connection, name, args.arguments, options)
  const task = made instanceof TaskHandle ? made : new TaskHandle(connection, name, undefined)
  if (onUpdate) task.onUpdate(onUpdate)
  if (made instanceof TaskHandle) {
    // The app can save it before anything else happens.
    task.update()
    follow(task)
  } else task.succeed(made)
  return task
}
