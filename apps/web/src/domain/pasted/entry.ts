import type { Authentication, ServerSecrets } from '../server.ts'

/** A program as the companion's file takes it. */
export interface PastedProgram {
  command: string
  args: string[]
  env: Record<string, string>
  cwd?: string
}

/** One server of what was pasted, and what was understood of it. */
export interface PastedEntry {
  name: string
  description?: string
  /** Empty of a program. */
  url: string
  /** Of a server that is a program: the browser starts none, the companion does, from its own file. */
  program?: PastedProgram
  authentication: Authentication
  /** On their way into the vault. */
  secrets: ServerSecrets
  headerNames: string[]
  timeoutSeconds?: number
  enabled: boolean
  /** What stands for a value that is not there: nothing is ever put in its place unasked. */
  needs: string[]
  taken: string[]
  /** What was left out, and why. */
  left: string[]
  /** Why it cannot be added as it stands. */
  problem?: string
}

export const newEntry = (name: string): PastedEntry => ({
  name: name.trim().slice(0, 100),
  url: '',
  authentication: { type: 'auto' },
  secrets: {},
  headerNames: [],
  enabled: true,
  needs: [],
  taken: [],
  left: [],
})

/** No more is read of one value: whatever is longer is no header, no argument and no address. */
export const MAX_VALUE = 8_000
export const MAX_ENTRIES = 100
/** Sentences about one server; a file of a thousand odd fields is not a thousand lines. */
const MAX_SENTENCES = 20

export function addSentence(list: string[], sentence: string): void {
  if (list.length < MAX_SENTENCES && !list.includes(sentence)) list.push(sentence)
}

export const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= MAX_VALUE ? value : undefined

/** A word that is no value but stands for one: ${VAR}, ${input:key}, {env:VAR}, $(command), <your token>, YOUR_API_KEY. */
const PLACEHOLDER =
  /\$\{[^{}]{0,200}\}|\{(?:env|file):[^{}]{1,200}\}|\$\([^()]{0,200}\)|^<[^<>]{1,200}>$|\bYOUR[_-][A-Z_-]{1,100}|\byour-[a-z-]{1,60}-here\b/

/** What has to be replaced before a value is one; undefined where it is one. */
export const placeholderIn = (value: string): string | undefined => PLACEHOLDER.exec(value)?.[0]
