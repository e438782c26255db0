import { Failed, type Failure } from '#domain/failure.ts'
import type { Gpt } from '#domain/gpt.ts'
import type { ToolAnnotations } from '#domain/server.ts'
import type { Connections } from './connections.ts'
import type { ToolForModel } from './describe-tool.ts'
import { nameTools } from './name-tools.ts'
import type { ServerStorage } from './needs.ts'

/** A tool as it is offered to a model. */
export interface OfferedTool extends ToolForModel {
  modelName: string
  serverId: string
  serverName: string
  serverTrusted: boolean
  endpoint: string
  toolName: string
  annotations: ToolAnnotations
  fingerprint: string
  /** The screen that it brings along. */
  appUri?: string
}

/** A tool that a GPT has and a model is not offered, and why. */
export interface WithheldTool {
  modelName: string
  serverId: string
  serverName: string
  toolName: string
  problem: string
}

export interface ToolsOfGpt {
  tools: OfferedTool[]
  withheld: WithheldTool[]
  missing: { serverName: string; failure: Failure }[]
}

type Nameless<Tool> = Omit<Tool, 'modelName'>

/** The tools a GPT has now: of the servers that are ticked and turned on, without those that it does not want. */
export async function toolsOfGpt(
  { tools: wishes }: Pick<Gpt, 'tools'>,
  signal: AbortSignal,
  { connections, servers }: { connections: Connections; servers: Pick<ServerStorage, 'server'> },
): Promise<ToolsOfGpt> {
  const missing: ToolsOfGpt['missing'] = []
  const isWanted = (serverId: string, toolName: string): boolean =>
    !wishes.disabledTools.some((tool) => tool.serverId === serverId && tool.toolName === toolName)

  const offersOf = async (serverId: string): Promise<(Nameless<OfferedTool> | Nameless<WithheldTool>)[]> => {
    const record = await servers.server(serverId)
    if (!record?.enabled || record.deletedAt !== undefined) return []
    try {
      return await connections.use(
        serverId,
        async ({ server, endpoint, tools }) =>
          (await tools()).flatMap(({ found, forModel }) => {
            if (!isWanted(serverId, found.name)) return []
            const { name: toolName, annotations, fingerprint, appUri, problem } = found
            const { name: serverName, trusted: serverTrusted } = server
            if (!forModel) return problem === undefined ? [] : { serverId, serverName, toolName, problem }
            const facts = { serverId, serverName, serverTrusted, endpoint, toolName, annotations, fingerprint }
            return { ...forModel, ...facts, ...(appUri !== undefined && { appUri }) }
          }),
        { signal },
      )
    } catch (error) {
      const failed = error instanceof Failed ? error : new Failed('internal', String(error))
      missing.push({ serverName: record.name, failure: failed.failure })
      return []
    }
  }

  const offers = (await Promise.all([...new Set(wishes.serverIds)].map(offersOf))).flat()
  if (signal.aborted) throw new Failed('stopped', 'Looking for the tools was stopped.')
  // All together: one that is withheld leaves its name to nobody else.
  const names = await nameTools(offers)
  const named = offers.map((offer, index) => ({ ...offer, modelName: names[index] ?? '' }))
  return {
    tools: named.flatMap((tool) => ('problem' in tool ? [] : [tool])),
    withheld: named.flatMap((tool) => ('problem' in tool ? [tool] : [])),
    missing,
  }
}
