import type { MCPClient } from '@switchboard/mcp'
import type { CompletionOf } from '#domain/resource.ts'

const MOST_VALUES = 100
const LONGEST_VALUE = 500
const PATIENCE_MS = 10_000

export interface Completion {
  of: CompletionOf
  argument: string
  value: string
  /** What is filled in beside it: the cities of a country, once that is known. */
  others: Record<string, string>
}

/** What could be meant by what is typed so far. A server that cannot say so says nothing. */
export async function completeArgument(
  client: MCPClient,
  { of, argument, value, others }: Completion,
  signal: AbortSignal,
): Promise<{ values: string[]; hasMore: boolean }> {
  if (!client.capabilities.completions) return { values: [], hasMore: false }
  const ref =
    'prompt' in of
      ? { type: 'ref/prompt' as const, name: of.prompt }
      : { type: 'ref/resource' as const, uri: of.template }
  const { completion } = (await client.complete({
    ref,
    argument: { name: argument, value },
    ...(Object.keys(others).length > 0 && { context: { arguments: others } }),
    options: { signal, timeout: PATIENCE_MS },
  })) as { completion?: { values?: unknown; hasMore?: unknown } }
  const all = Array.isArray(completion?.values) ? completion.values : []
  const values = all
    .slice(0, MOST_VALUES)
    .filter((one): one is string => typeof one === 'string' && one !== '' && one.length <= LONGEST_VALUE)
  return { values: [...new Set(values)], hasMore: completion?.hasMore === true || all.length > MOST_VALUES }
}
