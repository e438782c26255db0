import { createContext, useContext, useSyncExternalStore } from 'react'
import type { EngineState } from './commands.ts'
import type { Engine } from './start-engine.ts'

export type { Engine } from './start-engine.ts'

export const EngineContext = createContext<Engine | undefined>(undefined)

/** The engine of this page: one method for each command, each a promise that rejects with `Failed`. */
export function useEngine(): Engine {
  const engine = useContext(EngineContext)
  if (!engine) throw new Error('There is no engine around this component.')
  return engine
}

/** A part of what the engine is in. `select` must return the same value for the same state. */
export function useEngineState<T>(select: (state: EngineState) => T): T {
  const engine = useEngine()
  return useSyncExternalStore(engine.subscribe, () => select(engine.state))
}
