import { type Connection, onDemand } from '../client/connection.ts'
import { type OwnOptions, request } from '../client/request.ts'
import { withContent } from '../client/with-content.ts'
import { must } from '../errors.ts'
import type { JsonObject } from '../jsonrpc.ts'
import type { CallToolResult } from '../model.ts'

/** Calls a tool as `client/call-tool` does, with what a call that concerns tasks says besides. */
export async function askTool(
  connection: Connection,
  { name, arguments: args = {}, ...more }: JsonObject & { name: string; arguments?: JsonObject | undefined },
  options?: OwnOptions,
): Promise<CallToolResult> {
  must(typeof name === 'string', 'The tool needs a name')
  const { encodeParamHeaders, learnHeaders } = await onDemand()
  for (let listed = false; ; listed = true) {
    const known = connection.toolHeaders.get(name)
    const own = known ? { ...options, headers: encodeParamHeaders(known, args) } : options
    try {
      const answers = connection.era.stateless ? options?.rounds?.answers : undefined
      const result = await request(connection, 'tools/call', { name, arguments: args, ...more, ...answers }, own)
      return withContent(result)
    } catch (error) {
      if (listed) throw error
      await learnHeaders(connection, error)
    }
  }
}
