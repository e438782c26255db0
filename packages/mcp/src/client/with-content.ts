import type { JsonObject } from '../jsonrpc.ts'
import type { CallToolResult } from '../model.ts'

/** A result has content, whatever the server left out: that of structured content alone is its text. */
export function withContent(result: JsonObject): CallToolResult {
  if (!Array.isArray(result['content'])) {
    const text = JSON.stringify(result['structuredContent'])
    result['content'] = text ? [{ type: 'text', text }] : []
  }
  return result as CallToolResult
}
