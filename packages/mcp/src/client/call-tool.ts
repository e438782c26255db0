import { must } from '../errors.ts'
import type { JsonObject } from '../jsonrpc.ts'
import type { CallToolResult } from '../model.ts'
import { TASKS } from '../wire/http-headers.ts'
import { type Connection, onDemand, onDemandOr, type RequestOptions } from './connection.ts'
import { request } from './request.ts'
import { withContent } from './with-content.ts'

/** Calls a tool. A failed tool is an answer with `isError`; what is thrown is a failed call. */
export async function callTool(
  connection: Connection,
  name: string,
  args: JsonObject = {},
  options?: RequestOptions,
): Promise<CallToolResult> {
  must(typeof name === 'string', 'The tool needs a name')
  const { tasks, extensions } = connection.server.capabilities
  if (tasks ?? extensions?.[TASKS] ?? options?.rounds)
    return (await onDemand()).callAsTask(connection, name, args, options)
  for (let listed = false; ; listed = true) {
    const known = connection.toolHeaders.get(name)
    const own = known ? { ...options, headers: (await onDemand()).encodeParamHeaders(known, args) } : options
    try {
      // With a place for what is added to a copy of it: to make one takes ten times as long.
      const result = await request(connection, 'tools/call', { name, arguments: args, _meta: undefined }, own)
      return withContent(result)
    } catch (error) {
      if (listed) throw error
      await (await onDemandOr(error)).learnHeaders(connection, error)
    }
  }
}
