import { Failed } from '#domain/failure.ts'
import { toolCall } from '#storage/live-by-hand.ts'
import type { AppCalls } from './app-calls.ts'
import type { Carried, EngineParts } from './engine-parts.ts'

type Names = 'readApp' | 'openApp' | 'closeApp' | 'requestAppCall' | 'answerAppCall'

/** Screens that tools bring along. What it takes is loaded when somebody opens one. */
export function appCommands({ db, servers, turns, mcp }: EngineParts): Carried<Names> {
  let loading: Promise<AppCalls> | undefined
  const calls = (): Promise<AppCalls> =>
    (loading ??= import('./app-calls.ts').then(
      ({ createAppCalls }) =>
        createAppCalls({
          server: (id) => servers.server(id),
          start: (call) => turns.byHand.start(call),
          now: Date.now,
          newId: () => crypto.randomUUID(),
        }),
      (error: unknown) => {
        loading = undefined
        throw error
      },
    ))
  const callWithApp = async (toolCallId: string) => {
    const call = await toolCall(db, toolCallId)
    if (!call) throw new Failed('not-found', 'This call was removed.')
    return call
  }

  return {
    readApp: async ({ toolCallId }) => (await mcp.apps()).read(await callWithApp(toolCallId)),
    async openApp({ toolCallId, isAllowed }) {
      const call = await callWithApp(toolCallId)
      const url = await (await mcp.apps()).place(call, isAllowed)
      return { screenId: (await calls()).open(call), url }
    },
    closeApp: async ({ screenId }) => (await calls()).close(screenId),
    requestAppCall: async ({ screenId, toolName, arguments: args }) =>
      (await calls()).request(screenId, toolName, args),
    async answerAppCall({ screenId, requestId, reply }) {
      const toolCallId = await (await calls()).answer(screenId, requestId, reply)
      return { ...(toolCallId !== undefined && { toolCallId }) }
    },
  }
}
