import type { Authentication } from './server.ts'

/** Where on the way to a server it went wrong, from the address to the words that are spoken there. */
export const layers = [
  'address',
  'dns',
  'unreachable',
  'tls',
  'cors-preflight',
  'cors-headers',
  'mixed-content',
  'local-network',
  'redirect',
  'authorization',
  'protocol',
  'time-out',
  'server-error',
  'companion',
] as const
export type Layer = (typeof layers)[number]

/** What mends it. */
export type Fix =
  /** To be set at the server. */
  | { type: 'headers'; text: string }
  /** Reached through the companion, it needs nobody's leave. */
  | { type: 'relay' }
  /** Only the companion's file can let the relay reach this origin: `text` is what has to be written there. */
  | { type: 'allow'; origin: string; file: string; text: string; isNew: boolean; problem?: string }
  /** One that the browser asks for. */
  | { type: 'permission'; name: string }
  | { type: 'authentication'; to: Authentication['type'] }
  | { type: 'address'; url: string }
  /** With the companion there it works, or more can be said. */
  | { type: 'companion' }
  /** It is for somebody else to mend, or passes by itself: try again later. */
  | { type: 'wait' }

/** Why a server cannot be used. */
export interface Diagnosis {
  layer: Layer
  /** One whole sentence or two for a person; may quote a server. */
  sentence: string
  /** What was asked and what came of it, line by line. */
  evidence: string[]
  fixes: Fix[]
}
