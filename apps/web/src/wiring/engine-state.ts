import type { ConnectionState } from '#domain/server.ts'
import type { EngineState } from './commands.ts'

/** What an engine is in before it has opened anything. */
export const STARTING: EngineState = {
  phase: 'starting',
  vault: { state: 'locked', protection: 'device' },
  storage: { state: 'stored' },
  servers: {},
  turns: {},
  companion: 'absent',
}

/** Keeps what the engine is in, and tells of it once for all changes of one moment. */
export function createEngineState(tell: (state: EngineState) => void) {
  let state = STARTING
  let isTelling = false
  const set = (change: Partial<EngineState>) => {
    state = { ...state, ...change }
    if (isTelling) return
    isTelling = true
    queueMicrotask(() => {
      isTelling = false
      tell(state)
    })
  }
  return {
    set,
    current: () => state,
    setServer: (serverId: string, connection: ConnectionState) =>
      set({ servers: { ...state.servers, [serverId]: connection } }),
    setTurn(conversationId: string, turn: 'running' | 'elsewhere' | undefined) {
      const { [conversationId]: _, ...others } = state.turns
      set({ turns: turn ? { ...others, [conversationId]: turn } : others })
    },
  }
}
export type EngineStateHolder = ReturnType<typeof createEngineState>
