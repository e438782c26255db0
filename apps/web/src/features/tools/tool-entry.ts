import type { Grant } from '#domain/grant.ts'
import type { Gpt } from '#domain/gpt.ts'
import type { FoundTool, Server } from '#domain/server.ts'

/** A tool in the list, with what it is found by. */
export interface ToolEntry {
  serverId: string
  serverName: string
  isEnabled: boolean
  tool: FoundTool
  /** Its definition is not the one that the user once trusted. */
  isChanged: boolean
  /** Its words in small letters: what people look for most comes first. */
  words: { name: string; title: string; rest: string }
}

type Trusted = Pick<Grant, 'serverId' | 'toolName' | 'fingerprint'>

/** The tools of all servers, each server's by their names. */
export function toolEntries(
  servers: readonly Server[],
  gpts: readonly Pick<Gpt, 'tools'>[] = [],
  grants: readonly Trusted[] = [],
): ToolEntry[] {
  const trusted = new Map<string, Set<string>>()
  for (const { serverId, toolName, fingerprint } of [...grants, ...gpts.flatMap(({ tools }) => tools.trustedTools)]) {
    const key = keyOf(serverId, toolName)
    trusted.set(key, (trusted.get(key) ?? new Set()).add(fingerprint))
  }
  return servers.flatMap(({ id, name, enabled, found }) =>
    (found?.tools ?? []).map((tool): ToolEntry => {
      const known = trusted.get(keyOf(id, tool.name))
      return {
        serverId: id,
        serverName: name,
        isEnabled: enabled,
        tool,
        isChanged: known !== undefined && !known.has(tool.fingerprint),
        words: {
          name: tool.name.toLowerCase(),
          title: tool.title.toLowerCase(),
          rest: `${name} ${tool.description}`.toLowerCase(),
        },
      }
    }),
  )
}

/** No name can pretend to be the end of an id. */
const keyOf = (serverId: string, toolName: string): string => JSON.stringify([serverId, toolName])

/** Where a tool is shown. */
export const placeOfTool = (serverId: string, toolName: string): string =>
  `/tools/${encodeURIComponent(serverId)}/${encodeURIComponent(toolName)}`
