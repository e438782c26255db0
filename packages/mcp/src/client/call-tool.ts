import { isMCPError } from '../errors.ts'
import type { JsonObject } from '../jsonrpc.ts'
import type { CallOutcome, CallToolResult } from '../model.ts'
import { encodeParamHeaders } from '../wire/param-headers.ts'
import { requestWithInput } from './answer-input.ts'
import type { Connection, RequestOptions } from './connection.ts'
import { list } from './list.ts'

/** Calls a tool. A failed tool is an answer with `isError`; what is thrown is a failed call. */
export async function callTool(
  connection: Connection,
  name: string,
  args: JsonObject = {},
  options: RequestOptions = {},
): Promise<CallToolResult> {
  for (let listed = false; ; listed = true) {
    const known = connection.toolHeaders.get(name)
    const headers = known && encodeParamHeaders(known, args)
    try {
      const { result } = await requestWithInput(
        connection,
        'tools/call',
        { name, arguments: args },
        { ...options, headers },
      )
      if (!Array.isArray(result['content'])) result['content'] = []
      return result as CallToolResult
    } catch (error) {
      // The headers did not match, so nothing ran: the list tells which ones the server wants now.
      if (listed || !connection.era.stateless || !isMCPError(error) || error.code !== -32020) throw error
      await list(connection, 'tools/list', 'tools', true)
    }
  }
}

/** The answer in short: its text, and its data where there are any. */
export function summarize(raw: CallToolResult): CallOutcome {
  const text = raw.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  let data = raw.structuredContent
  if (data === undefined && /^\s*[[{]/.test(text)) {
    try {
      data = JSON.parse(text)
    } catch {}
  }
  return { raw, text, data, isError: raw.isError === true }
}
