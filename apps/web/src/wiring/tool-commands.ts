import { createCallsByHand } from '#storage/calls-by-hand.ts'
import type { Carried, EngineParts } from './engine-parts.ts'

type Names = 'toolDefinition' | 'checkArguments' | 'curlOf' | 'tryTool' | 'deleteCall' | 'clearCalls'

/** Tools by hand. What it takes is loaded when somebody does it. */
export function toolCommands({ db, servers, turns, mcp }: EngineParts): Carried<Names> {
  const kept = createCallsByHand(db)
  return {
    toolDefinition: async (place) => (await mcp.explore()).definition(place),
    checkArguments: async (input) => (await mcp.explore()).check(input),
    curlOf: async (input) => ({ text: await (await mcp.explore()).curl(input) }),
    async tryTool(input) {
      const { callByHand } = await import('./call-by-hand.ts')
      const call = await callByHand(input, await servers.server(input.serverId), Date.now())
      await turns.byHand.start(call)
      return { toolCallId: call.id }
    },
    deleteCall: ({ toolCallId }) => kept.removeByHand(toolCallId),
    clearCalls: ({ serverId, toolName }) => kept.clearByHand(serverId, toolName),
  }
}
