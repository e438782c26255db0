import { asCurl } from '#domain/as-curl.ts'
import type { SchemaChecks } from '../check-schema.ts'
import type { Connections } from '../connections.ts'
import type { FaultPlace } from '../place-fault.ts'
import { readArguments } from '../read-arguments.ts'
import { checkArguments } from './check-arguments.ts'
import { curlNeeds } from './curl-needs.ts'
import { listedTool } from './listed-tool.ts'
import { type ToolDefinition, toolDefinition } from './tool-definition.ts'

export interface ToolPlace {
  serverId: string
  toolName: string
}

export interface Explorer {
  definition(place: ToolPlace): Promise<ToolDefinition>
  check(input: ToolPlace & { arguments: string }): Promise<FaultPlace[]>
  /** The call as a command line, without any secret. */
  curl(input: ToolPlace & { arguments: string }): Promise<string>
}

/** Looks at tools and at what is to be sent to them, and sends nothing to any tool. */
export function createExplorer({
  connections,
  checks,
  origin,
}: {
  connections: Connections
  checks: SchemaChecks
  origin: string
}): Explorer {
  return {
    definition: ({ serverId, toolName }) =>
      connections.use(serverId, async (connected) => toolDefinition(await listedTool(connected, toolName))),

    check: ({ serverId, toolName, arguments: text }) =>
      connections.use(serverId, async (connected) =>
        checkArguments(await listedTool(connected, toolName), text, checks),
      ),

    curl: ({ serverId, toolName, arguments: text }) =>
      connections.use(serverId, async (connected) => {
        const args = readArguments(text, toolName)
        return asCurl(await curlNeeds(connected, await listedTool(connected, toolName), args, origin))
      }),
  }
}
