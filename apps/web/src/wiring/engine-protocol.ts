import type { Failure } from '#domain/failure.ts'
import type { Change, Rows } from '#storage/changes.ts'
import type { CommandName, EngineState } from './commands.ts'

/** How an engine is to begin, where that is not with the database as it is. */
export interface StartWish {
  /** Without a database, because of this: with a copy of what is stored, with what the page still has, or with nothing. */
  memory?: { why: Failure; begin: 'stored' | 'empty' | Rows }
  /** With an empty database in the place of the one that is there. */
  anew?: boolean
}

/** From the page to its engine. */
export type ToEngine =
  | (StartWish & {
      type: 'start'
      /** What the companion changes for its token, once, where the page was opened with one. */
      companionCode?: string
      /** Where the app was loaded from, and with it the companion and the demo server. */
      origin: string
    })
  | { type: 'command'; id: number; name: CommandName; input: unknown }
  | { type: 'ping' }
  /** Not every browser tells its workers. */
  | { type: 'network'; isOnline: boolean }

/** From the engine to its page. */
export type FromEngine =
  | { type: 'answer'; id: number; value: unknown }
  | { type: 'refusal'; id: number; failure: Failure }
  | { type: 'state'; state: EngineState }
  | { type: 'pong' }
  /** Of an engine without a database: what it stored, which the page cannot read from anywhere. Nothing of the vault. */
  | { type: 'changes'; changes: Change[] }
