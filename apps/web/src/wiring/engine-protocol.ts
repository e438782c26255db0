import type { Failure } from '#domain/failure.ts'
import type { CommandName, EngineState } from './commands.ts'

/** From the page to its engine. */
export type ToEngine =
  | {
      type: 'start'
      /** What the companion changes for its token, once, where the page was opened with one. */
      companionCode?: string
      /** Where the app was loaded from, and with it the companion and the demo server. */
      origin: string
    }
  | { type: 'command'; id: number; name: CommandName; input: unknown }
  | { type: 'ping' }

/** From the engine to its page. */
export type FromEngine =
  | { type: 'answer'; id: number; value: unknown }
  | { type: 'refusal'; id: number; failure: Failure }
  | { type: 'state'; state: EngineState }
  | { type: 'pong' }
