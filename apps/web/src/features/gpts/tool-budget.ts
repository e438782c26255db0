import type { GptTools } from '#domain/gpt.ts'
import type { Server } from '#domain/server.ts'

/** What the definitions of a GPT's tools cost with every message, by the rule of thumb of four characters a token. */
export function toolBudget(servers: readonly Server[], tools: GptTools): { count: number; tokens: number } {
  const isOff = (serverId: string, name: string) =>
    tools.disabledTools.some((tool) => tool.serverId === serverId && tool.toolName === name)
  const used = servers
    .filter(({ id, enabled }) => enabled && tools.serverIds.includes(id))
    .flatMap(({ id, found }) => (found?.tools ?? []).filter(({ name, problem }) => !problem && !isOff(id, name)))
  const characters = used.reduce(
    (sum, { name, description, schemaSize }) => sum + name.length + description.length + schemaSize,
    0,
  )
  return { count: used.length, tokens: Math.ceil(characters / 4) }
}
