import { say } from '../failure.ts'
import { isObject } from '../jsonrpc.ts'
import type { CallOutcome, CallToolResult } from '../model.ts'

/** The answer in short: its text, and its data where there are any. */
export function summarize(raw: CallToolResult): CallOutcome {
  const text = raw.content
    .flatMap((part) => (isObject(part) && part['type'] === 'text' ? [say(part['text'])] : []))
    .join('\n')
  let data = raw.structuredContent
  if (data === undefined && /^\s*[[{]/.test(text)) {
    try {
      data = JSON.parse(text)
    } catch {}
  }
  return { raw, text, data, isError: raw.isError === true }
}
