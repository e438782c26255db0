import { isMCPError, must } from '../errors.ts'
import type { JsonObject } from '../jsonrpc.ts'
import type { CallToolResult } from '../model.ts'
import { type Connection, onDemand, type RequestOptions } from './connection.ts'
import { list } from './list.ts'
import { request } from './request.ts'

/** Calls a tool. A failed tool is an answer with `isError`; what is thrown is a failed call. */
export async function callTool(
  connection: Connection,
  name: string,
  args: JsonObject = {},
  options?: RequestOptions,
): Promise<CallToolResult> {
  must(typeof name === 'string', 'The tool needs a name')
  for (let listed = false; ; listed = true) {
    const known = connection.toolHeaders.get(name)
    const own = known ? { ...options, headers: (await onDemand()).encodeParamHeaders(known, args) } : options
    try {
      const result = await request(connection, 'tools/call', { name, arguments: args }, own)
      if (!Array.isArray(result['content'])) result['content'] = []
      return result as CallToolResult
    } catch (error) {
      // The headers did not match, so nothing ran: the list tells which ones the server wants now.
      if (listed || !connection.era.stateless || !isMCPError(error) || error.code !== -32020) throw error
      await list(connection, 'tools/list', 'tools', true)
    }
  }
}
