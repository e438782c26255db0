import type { Connection, RequestOptions } from '../client/connection.ts'
import { isMCPError } from '../errors.ts'
import { isObject } from '../jsonrpc.ts'
import type { CallToolResult } from '../model.ts'
import { TASKS } from '../wire/http-headers.ts'
import { askTool } from './ask-tool.ts'

/** Calls a tool in the usual way, and says so where that is the mistake. */
export async function callPlainly(
  connection: Connection,
  name: string,
  args: Record<string, unknown> | undefined,
  options: RequestOptions | undefined,
): Promise<CallToolResult> {
  try {
    return await askTool(connection, { name, arguments: args }, options)
  } catch (error) {
    if (isMCPError(error) && error.code === -32021 && wantsTasks(error.data)) error.message += `. ${ONLY_AS_TASK}`
    throw error
  }
}

export const ONLY_AS_TASK = 'It runs only as a task: call startTask, or leave the option tasks as it is'

function wantsTasks(data: unknown): boolean {
  const required = isObject(data) ? data['requiredCapabilities'] : undefined
  const extensions = isObject(required) ? required['extensions'] : undefined
  return isObject(extensions) && TASKS in extensions
}
