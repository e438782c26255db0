import { Failed } from '#domain/failure.ts'
import type { Carried, EngineParts } from './engine-parts.ts'

export function doctorCommands({ servers, mcp }: EngineParts): Carried<'diagnoseServer'> {
  return {
    async diagnoseServer(input) {
      const server = 'serverId' in input ? await servers.server(input.serverId) : input.server
      if (!server) throw new Failed('not-found', 'This server was removed.')
      const diagnosis = await mcp.diagnose(server, input.failure)
      return diagnosis ? { diagnosis } : {}
    },
  }
}
