import type { JsonObject } from '../jsonrpc.ts'
import type { CallToolResult, ResumeTaskOptions, SavedTask, StartTaskArguments, Task } from '../model.ts'
import type { Connection, RequestOptions } from './connection.ts'

/** What is needed only where calls become tasks. */
const tasks = () => import('../tasks/tasks.ts')

export const callAsTask = async (
  connection: Connection,
  name: string,
  args: JsonObject,
  options: RequestOptions | undefined,
): Promise<CallToolResult> => (await tasks()).callTool(connection, name, args, options)

export const startTask = async (
  connection: Connection,
  args: StartTaskArguments & { options?: RequestOptions | undefined },
): Promise<Task> => (await tasks()).startTask(connection, args)

export const resumeTask = async (
  connection: Connection,
  saved: SavedTask,
  options: ResumeTaskOptions | undefined,
): Promise<Task> => (await tasks()).resumeTask(connection, saved, options)
