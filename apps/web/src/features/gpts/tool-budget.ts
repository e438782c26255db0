import type { GptTools } from '#domain/gpt.ts'
import type { Server } from '#domain/server.ts'
import { definitionsTokens, fitsBudget } from '#domain/tool-budget.ts'

interface ToolBudget {
  count: number
  tokens: number
  /** Otherwise the model is not told of all of them: it looks for those that it needs. */
  fits: boolean
}

/** What the definitions of a GPT's tools would cost with every message. Only tools that a model is told of count. */
export function toolBudget(servers: readonly Server[], tools: GptTools): ToolBudget {
  const off = new Set(tools.disabledTools.map(({ serverId, toolName }) => JSON.stringify([serverId, toolName])))
  const used = servers
    .filter(({ id, enabled }) => enabled && tools.serverIds.includes(id))
    .flatMap(({ id, name: serverName, found }) =>
      (found?.tools ?? [])
        .filter(
          ({ name, problem, modelMayCall }) =>
            problem === undefined && modelMayCall !== false && !off.has(JSON.stringify([id, name])),
        )
        // A model knows it by the names of both.
        .map((tool) => ({ ...tool, name: `${serverName}__${tool.name}` })),
    )
  const tokens = definitionsTokens(used)
  return { count: used.length, tokens, fits: fitsBudget(used.length, tokens) }
}
