import { Failed } from '#domain/failure.ts'
import { endpointOf } from '#mcp/endpoint-of.ts'
import { createGrants } from '#storage/grants.ts'
import type { Carried, EngineParts } from './engine-parts.ts'

type Names =
  | 'createGpt'
  | 'updateGpt'
  | 'duplicateGpt'
  | 'deleteGpt'
  | 'restoreGpt'
  | 'trustTool'
  | 'revokeGrant'
  | 'revokeAllGrants'

export function gptCommands({ db, gpts, servers }: EngineParts): Carried<Names> {
  const grants = createGrants(db)
  return {
    createGpt: async (input) => ({ gptId: (await gpts.create(input)).id }),
    updateGpt: ({ gptId, change }) => gpts.update(gptId, change),
    duplicateGpt: async ({ gptId }) => ({ gptId: (await gpts.duplicate(gptId)).id }),
    deleteGpt: ({ gptId }) => gpts.remove(gptId),
    restoreGpt: ({ gptId }) => gpts.restore(gptId),
    async trustTool({ gptId, serverId, toolName, trusted }) {
      if (!trusted) return gpts.distrust(gptId, { serverId, toolName })
      const server = await servers.server(serverId)
      const tool = server?.found?.tools.find(({ name }) => name === toolName)
      if (!server || !tool) throw new Failed('tool-gone', `There is no ${toolName} to trust any more.`)
      return gpts.trust(gptId, { serverId, toolName, fingerprint: tool.fingerprint, endpoint: endpointOf(server) })
    },
    revokeGrant: ({ grantId }) => grants.revoke(grantId),
    revokeAllGrants: () => grants.revokeAll(),
  }
}
