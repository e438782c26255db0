import { isMCPError } from '../errors.ts'
import { isObject, type JsonObject } from '../jsonrpc.ts'
import type { CallOutcome, CallToolResult } from '../model.ts'
import { type Connection, must, onDemand, type RequestOptions } from './connection.ts'
import { list } from './list.ts'
import { request } from './request.ts'

/** Calls a tool. A failed tool is an answer with `isError`; what is thrown is a failed call. */
export async function callTool(
  connection: Connection,
  name: string,
  args: JsonObject = {},
  options?: RequestOptions,
): Promise<CallToolResult> {
  must('string', name, 'The name of the tool')
  for (let listed = false; ; listed = true) {
    const known = connection.toolHeaders.get(name)
    const own = known ? { ...options, headers: (await onDemand()).encodeParamHeaders(known, args) } : options
    try {
      const result = await request(connection, 'tools/call', { name, arguments: args }, own)
      if (!Array.isArray(result['content'])) result['content'] = []
      return result as CallToolResult
    } catch (error) {
      // The headers did not match, so nothing ran: the list tells which ones the server wants now.
      if (listed || !isMCPError(error) || error.code !== -32020) throw error
      await list(connection, 'tools/list', 'tools', true)
    }
  }
}

/** The answer in short: its text, and its data where there are any. */
export function summarize(raw: CallToolResult): CallOutcome {
  const text = raw.content
    .flatMap((part) => (isObject(part) && part['type'] === 'text' ? [String(part['text'])] : []))
    .join('\n')
  let data = raw.structuredContent
  if (data === undefined && /^\s*[[{]/.test(text)) {
    try {
      data = JSON.parse(text)
    } catch {}
  }
  return { raw, text, data, isError: raw.isError === true }
}
