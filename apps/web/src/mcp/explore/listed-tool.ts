import { Failed } from '#domain/failure.ts'
import type { Connected } from '../connections.ts'
import type { ListedTool } from '../read-tools.ts'

/** A tool as its server has it now. Rejects with `Failed` where it has it no more. */
export async function listedTool({ tools, client, server }: Connected, toolName: string): Promise<ListedTool> {
  // One that does not announce changes is asked again.
  const listed = await tools(client.capabilities.tools?.listChanged !== true)
  const tool = listed.find(({ found }) => found.name === toolName)
  if (!tool) throw new Failed('tool-gone', `${server.name} does not have ${toolName} any more.`)
  return tool
}
