import { type AppCallAnswer, MOST_CALLS_A_MINUTE, MOST_DENIALS, MUTED } from '#domain/app-call.ts'
import { Failed } from '#domain/failure.ts'
import type { Server } from '#domain/server.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { callByHand } from './call-by-hand.ts'

export interface AppCallNeeds {
  server: (id: string) => Promise<Server | undefined>
  /** Writes a call down that the user has approved, and runs it. */
  start: (call: ToolCall) => Promise<void>
  now: () => number
  newId: () => string
}

interface Screen {
  /** The call that brought it. */
  readonly of: ToolCall
  /** The definitions that it may call while it is open. */
  readonly allowed: Set<string>
  waiting?: { id: string; call: ToolCall }
  times: number[]
}

export type AppCallReply = 'once' | 'screen' | 'deny'

/**
 * Tools that screens of servers want to have called. Each belongs to the screen's own server, and the user is asked for each:
 * what runs is the call that was asked about, which never leaves here in between.
 */
export function createAppCalls({ server, start, now, newId }: AppCallNeeds) {
  const screens = new Map<string, Screen>()
  // By the call that brought the screen: who opens it again is not asked all over again.
  const denials = new Map<string, number>()

  function screenOf(screenId: string): Screen {
    const screen = screens.get(screenId)
    if (!screen) throw new Failed('not-found', 'This screen is not open any more.')
    return screen
  }

  const isMuted = ({ of }: Screen) => (denials.get(of.id) ?? 0) >= MOST_DENIALS

  return {
    open(of: ToolCall): string {
      const id = newId()
      screens.set(id, { of, allowed: new Set(), times: [] })
      return id
    },

    close(screenId: string): void {
      screens.delete(screenId)
    },

    async request(screenId: string, toolName: string, args: string): Promise<AppCallAnswer> {
      const screen = screenOf(screenId)
      if (isMuted(screen)) return { outcome: 'refused', reason: MUTED }
      if (screen.waiting) return { outcome: 'refused', reason: 'The user is still being asked about another call.' }
      const { serverId } = screen.of
      const record = await server(serverId)
      const tool = record?.found?.tools.find(({ name }) => name === toolName)
      if (!tool || tool.problem !== undefined || tool.appMayCall === false)
        return { outcome: 'refused', reason: 'Its server has no such tool for a screen.' }
      const { fingerprint } = tool
      const made = await callByHand({ serverId, toolName, fingerprint, arguments: args }, record, now())
      const call: ToolCall = { ...made, app: screen.of.id }
      // While this was looked up, another may have come first.
      if (screen.waiting) return { outcome: 'refused', reason: 'The user is still being asked about another call.' }
      if (screen.allowed.has(fingerprint)) {
        screen.times = screen.times.filter((time) => time > now() - 60_000)
        if (screen.times.length >= MOST_CALLS_A_MINUTE)
          return { outcome: 'refused', reason: `A screen may call ${MOST_CALLS_A_MINUTE} tools in a minute.` }
        screen.times.push(now())
        await start(call)
        return { outcome: 'started', toolCallId: call.id }
      }
      const id = newId()
      screen.waiting = { id, call }
      const { serverName, title } = call
      return { outcome: 'ask', requestId: id, call: { serverName, toolName, title, arguments: call.arguments } }
    },

    /** The id of the call, where there is to be one. */
    async answer(screenId: string, requestId: string, reply: AppCallReply): Promise<string | undefined> {
      const screen = screenOf(screenId)
      const { waiting } = screen
      if (waiting?.id !== requestId) throw new Failed('not-found', 'Nobody asks for this any more.')
      delete screen.waiting
      if (reply === 'deny') {
        denials.set(screen.of.id, (denials.get(screen.of.id) ?? 0) + 1)
        return undefined
      }
      if (reply === 'screen') screen.allowed.add(waiting.call.fingerprint)
      await start(waiting.call)
      return waiting.call.id
    },
  }
}
export type AppCalls = ReturnType<typeof createAppCalls>
