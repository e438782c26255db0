import type { FoundTool, Server } from '#domain/server.ts'
import type { LedgerEntry } from '#domain/tool-ledger.ts'

/** A tool in the list, with what it is found by. */
export interface ToolEntry {
  serverId: string
  serverName: string
  isEnabled: boolean
  tool: FoundTool
  /** Where the user has not seen it as it is. */
  mark: LedgerEntry['state'] | undefined
  /** Its words in small letters: what people look for most comes first. */
  words: { name: string; title: string; rest: string }
}

type Unseen = Pick<LedgerEntry, 'serverId' | 'toolName' | 'state'>

/** The tools of all servers, each server's by their names. */
export function toolEntries(servers: readonly Server[], unseen: readonly Unseen[] = []): ToolEntry[] {
  const marks = new Map(unseen.map(({ serverId, toolName, state }) => [keyOf(serverId, toolName), state]))
  return servers.flatMap(({ id, name, enabled, found }) =>
    (found?.tools ?? []).map(
      (tool): ToolEntry => ({
        serverId: id,
        serverName: name,
        isEnabled: enabled,
        tool,
        mark: marks.get(keyOf(id, tool.name)),
        words: {
          name: tool.name.toLowerCase(),
          title: tool.title.toLowerCase(),
          rest: `${name} ${tool.description}`.toLowerCase(),
        },
      }),
    ),
  )
}

/** No name can pretend to be the end of an id. */
const keyOf = (serverId: string, toolName: string): string => JSON.stringify([serverId, toolName])
