import type { JsonObject } from '../jsonrpc.ts'
import type { CallOutcome } from '../model.ts'
import { callTool } from './call-tool.ts'
import type { Connection, RequestOptions } from './connection.ts'
import { summarize } from './summarize.ts'

/** Calls a tool, and gives its answer in short. */
export async function call(
  connection: Connection,
  name: string,
  args?: JsonObject,
  options?: RequestOptions,
): Promise<CallOutcome> {
  return summarize(await callTool(connection, name, args, options))
}
