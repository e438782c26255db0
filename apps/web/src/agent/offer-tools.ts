import type { Message } from '#domain/message.ts'
import { fitsBudget, tokensOf } from '#domain/tool-budget.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import type { OfferedTool } from './needs.ts'
import { hasCutResult } from './room-for-results.ts'

const sizes = new WeakMap<object, number>()

/** What the definition of a tool takes of a message. */
export function definitionTokens({ modelName, title, description, inputSchema }: OfferedTool): number {
  const size = sizes.get(inputSchema) ?? JSON.stringify(inputSchema).length
  sizes.set(inputSchema, size)
  return tokensOf(modelName.length + title.length + description.length + size)
}

/** Those that a model is shown, of all that it may use. */
export async function offerTools(
  tools: readonly OfferedTool[],
  calls: readonly ToolCall[],
  messages: readonly Message[],
): Promise<OfferedTool[]> {
  const shown = await offerOfServers(tools, calls)
  if (!hasCutResult(messages, calls)) return shown
  const { offerReading } = await import('./offer-reading.ts')
  return [...shown, ...offerReading]
}

async function offerOfServers(tools: readonly OfferedTool[], calls: readonly ToolCall[]): Promise<OfferedTool[]> {
  const tokens = tools.reduce((sum, tool) => sum + definitionTokens(tool), 0)
  if (fitsBudget(tools.length, tokens)) return [...tools]
  const { offerFound } = await import('./offer-found.ts')
  return offerFound(tools, calls)
}
