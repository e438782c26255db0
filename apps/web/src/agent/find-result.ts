import { oneLine } from '#domain/fenced.ts'
import { resultText } from '#domain/result-for-model.ts'
import { handleOf } from '#domain/result-handle.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { isOwnCall } from './own-tools.ts'

const MOST_NAMED = 10

export interface FoundResult {
  handle: string
  /** Whole, and as the excerpt was taken from it: places in one are places in the other. */
  text: string
  /** Whose it is, for a sentence: a model is to know whose words it reads. */
  whose: string
}

/** What our own tools say is of a result that can be read itself, and failed calls may have one too. */
const hasResult = (call: ToolCall): boolean =>
  !isOwnCall(call) && (call.content !== undefined || call.structuredContent !== undefined)

/** The result that a handle names among those of these calls, or why there is none. */
export function findResult(handle: unknown, calls: readonly ToolCall[]): FoundResult | { problem: string } {
  const results = calls.filter(hasResult)
  const wanted = typeof handle === 'string' ? handle.trim() : ''
  const call = results.find(({ id }) => handleOf(id) === wanted)
  if (call)
    return {
      handle: wanted,
      text: resultText(call),
      whose: `"${oneLine(call.toolName)}" of the server "${oneLine(call.serverName)}"`,
    }
  const named = results
    .toSorted((one, other) => other.createdAt - one.createdAt)
    .slice(0, MOST_NAMED)
    .map(({ id, toolName }) => `${handleOf(id)} ("${oneLine(toolName)}")`)
  return {
    problem:
      named.length > 0
        ? `There is no result with this handle in this conversation. There are: ${named.join(', ')}.`
        : 'There is no result in this conversation.',
  }
}
