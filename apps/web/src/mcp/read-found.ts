import type { MCPClient } from '@switchboard/mcp'
import type { FoundServer } from '#domain/server.ts'
import { boundedText } from './describe-tool.ts'
import type { ListedTool } from './read-tools.ts'

/** What a connected server says of itself and has to offer. */
export async function readFound(client: MCPClient, tools: readonly ListedTool[]): Promise<FoundServer> {
  const { serverInfo, instructions, capabilities } = client
  // These are only counted: where that fails, the tools are no worse for it.
  const [resources, prompts] = await Promise.all([
    capabilities.resources
      ? client.listResources().then(
          ({ resources: list }) => list.length,
          () => 0,
        )
      : 0,
    capabilities.prompts
      ? client.listPrompts().then(
          ({ prompts: list }) => list.length,
          () => 0,
        )
      : 0,
  ])
  return {
    title: boundedText(serverInfo.title ?? serverInfo.name, 200),
    version: boundedText(serverInfo.version, 100),
    protocolVersion: client.getProtocolVersion() ?? '',
    instructions: boundedText(instructions, 10_000),
    tools: tools.map(({ found }) => found),
    resources,
    prompts,
  }
}
