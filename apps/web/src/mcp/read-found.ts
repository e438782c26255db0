import type { MCPClient } from '@switchboard/mcp'
import type { FoundServer } from '#domain/server.ts'
import { boundedText } from './describe-tool.ts'
import type { IconSource } from './read-icons.ts'
import type { ListedTool } from './read-tools.ts'

const MAX_CAPABILITIES = 20

/** What a connected server says of itself and has to offer. */
export async function readFound(
  client: MCPClient,
  tools: readonly ListedTool[],
  icons: IconSource,
  protocolVersion: string,
): Promise<FoundServer> {
  const { serverInfo, instructions, capabilities } = client
  // These are only counted: where that fails, the tools are no worse for it.
  const [resources, prompts, pictures] = await Promise.all([
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
    picturesOf(serverInfo.icons, tools, icons),
  ])
  return {
    title: boundedText(serverInfo.title ?? serverInfo.name, 200),
    version: boundedText(serverInfo.version, 100),
    protocolVersion,
    instructions: boundedText(instructions, 10_000),
    ...(pictures?.server !== undefined && { icon: pictures.server }),
    capabilities: Object.keys(capabilities)
      .slice(0, MAX_CAPABILITIES)
      .map((name) => name.slice(0, 50)),
    tools: tools.map(({ found }, index) => {
      const icon = pictures?.tools[index]
      return { ...found, ...(icon !== undefined && { icon }) }
    }),
    resources,
    prompts,
  }
}

/** Most servers have none, and need not load what reads them. */
async function picturesOf(ofServer: unknown, tools: readonly ListedTool[], source: IconSource) {
  const ofTools = tools.map(({ definition }) => definition.icons)
  if (!ofServer && !ofTools.some(Boolean)) return undefined
  try {
    const { readIcons } = await import('./read-icons.ts')
    return await readIcons(ofServer, ofTools, source)
  } catch {
    return undefined
  }
}

/** Where the icons of a server may come from. */
export const iconSource = (
  { transport, url }: { transport: string; url: string },
  fetch: IconSource['fetch'],
): IconSource => ({
  origin: transport === 'streamable-http' && URL.canParse(url) ? new URL(url).origin : undefined,
  fetch,
  known: new Map(),
})
