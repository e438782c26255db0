import { Failed } from '#domain/failure.ts'
import type { Server } from '#domain/server.ts'
import type { ListToolsResult, MCPClient } from '@switchboard/mcp'
import type { McpNeeds } from './needs.ts'
import { type ListedTool, readTools, withProblem } from './read-tools.ts'

const CHANGED = 'It has changed since you last looked. See what is different, then it can be used again.'

interface ToolListNeeds {
  client: MCPClient
  endpoint: string
  ledger: McpNeeds['ledger']
  /** What showed when a tool was used, by its fingerprint. */
  problems: ReadonlyMap<string, string>
}

/** The tools of a server, looked at once for each list that it gives. Fresh ones are asked for now. */
export function createToolList(
  { id, name: serverName }: Server,
  { client, endpoint, ledger, problems }: ToolListNeeds,
): (isFresh?: boolean) => Promise<ListedTool[]> {
  const looked = new WeakMap<ListToolsResult, Promise<ListedTool[]>>()
  let listing: Promise<ListToolsResult> | undefined

  /** One that changed must not run unseen, so that where nobody can tell, none runs. */
  async function recorded<T>(deed: Promise<T> | undefined): Promise<T | undefined> {
    try {
      return await deed
    } catch {
      throw new Failed(
        'storage',
        `Whether the tools of ${serverName} have changed cannot be told: the record of them could not be read or written. They are not used until it can.`,
      )
    }
  }

  async function noted(listed: ListedTool[]): Promise<ListedTool[]> {
    const definitions = listed.map(({ definition, found: { name, fingerprint } }) => ({
      name,
      fingerprint,
      definition: JSON.stringify(definition),
    }))
    await recorded(ledger?.note(id, endpoint, definitions))
    return listed
  }

  return async (isFresh = false) => {
    if (!client.capabilities.tools) return []
    // Those who come while it is being listed share the list, but for who needs one from now on.
    const list = await (isFresh
      ? client.listTools(true)
      : (listing ??= client.listTools().finally(() => (listing = undefined))))
    const known = looked.get(list) ?? readTools(list.tools, endpoint).then(noted)
    looked.set(list, known)
    // What could not be written down is tried again by who comes next.
    known.catch(() => looked.delete(list))
    const listed = await known
    const changed = await recorded(ledger?.changed(id))
    return listed.map((tool) =>
      withProblem(tool, changed?.has(tool.found.name) ? CHANGED : problems.get(tool.found.fingerprint)),
    )
  }
}
