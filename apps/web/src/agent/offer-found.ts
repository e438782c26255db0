import { MOST_TOKENS, MOST_TOOLS } from '#domain/tool-budget.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { describeFindTools } from './find-tools.ts'
import type { OfferedTool } from './needs.ts'
import { definitionTokens } from './offer-tools.ts'
import { isOwnCall } from './own-tools.ts'

/** Where there are too many: the tool that finds them, and what was found or used in this conversation, newest first. */
export function offerFound(tools: readonly OfferedTool[], calls: readonly ToolCall[]): OfferedTool[] {
  const search = describeFindTools(tools)
  const byName = new Map(tools.map((tool) => [tool.modelName, tool]))
  const byPlace = new Map(tools.map((tool) => [placeOf(tool), tool]))
  const wanted = new Set<OfferedTool>()
  const newest = calls.toSorted((one, other) => other.createdAt - one.createdAt)
  for (const call of newest) {
    const named = isOwnCall(call) ? namesIn(call).map((name) => byName.get(name)) : [byPlace.get(placeOf(call))]
    for (const tool of named) if (tool) wanted.add(tool)
  }
  const offered = [search]
  let left = MOST_TOKENS - definitionTokens(search)
  for (const tool of wanted) {
    const tokens = definitionTokens(tool)
    if (offered.length >= MOST_TOOLS) break
    // One that is too large leaves the others their room.
    if (tokens > left) continue
    left -= tokens
    offered.push(tool)
  }
  return offered
}

const placeOf = ({ serverId, toolName }: Pick<ToolCall, 'serverId' | 'toolName'>): string =>
  JSON.stringify([serverId, toolName])

/** What a search found, as it was written down. */
function namesIn({ structuredContent }: ToolCall): string[] {
  const found: unknown = (structuredContent as { tools?: unknown } | undefined)?.tools
  return Array.isArray(found)
    ? found.flatMap((one: unknown) => {
        const name = (one as { name?: unknown } | null)?.name
        return typeof name === 'string' ? [name] : []
      })
    : []
}
