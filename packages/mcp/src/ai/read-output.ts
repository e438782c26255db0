import type { MCPError } from '../errors.ts'
import { parseJson } from '../jsonrpc.ts'
import type { CallToolResult } from '../model.ts'
import type { Validate } from './ai-schema.ts'

/** The typed output of a tool: its structured content, else the first text that is JSON and fits; throws where there is neither. */
export async function readOutput(
  { structuredContent, content }: CallToolResult,
  validate: Validate | undefined,
  fail: (text: string, cause?: unknown) => MCPError,
): Promise<unknown> {
  const check: Validate = validate ?? ((value) => ({ success: true, value }))
  if (structuredContent != null) {
    const verdict = await check(structuredContent)
    if (verdict.success) return verdict.value
    throw fail('returned structuredContent that does not match the expected outputSchema', verdict.error)
  }
  let cause: unknown
  for (const part of content) {
    if (part?.type !== 'text') continue
    try {
      const verdict = await check(parseJson(part.text))
      if (verdict.success) return verdict.value
      cause ??= verdict.error
    } catch (error) {
      cause ??= error
    }
  }
  throw cause === undefined
    ? fail('did not return structuredContent or parseable text content')
    : fail('returned content that does not match the expected outputSchema', cause)
}
