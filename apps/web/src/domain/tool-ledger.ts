import * as z from 'zod/mini'
import { idSchema, timeSchema } from './text.ts'

/** A tool as a server described it at one time, and where. */
const definedSchema = z.object({ fingerprint: z.string(), endpoint: z.string(), definition: z.string() })
export type Defined = z.infer<typeof definedSchema>

/**
 * What is known of one tool of one server over time. `changed`: it is not what the user last saw, and is not used until
 * they have seen it. `new`: it came after they first looked at the server.
 */
export const ledgerEntrySchema = z.extend(definedSchema, {
  id: idSchema,
  serverId: idSchema,
  toolName: z.string(),
  state: z.enum(['seen', 'new', 'changed']),
  /** What the user last saw, where it has changed since. */
  before: z.optional(definedSchema),
  /** What it was at earlier times, oldest first, each until when: only the last few, so that changing often fills nothing. */
  earlier: z.optional(z.array(z.extend(definedSchema, { until: timeSchema }))),
  /** Whether the server listed it the last time. */
  isThere: z.boolean(),
  /** Oldest first. */
  history: z.array(z.object({ at: timeSchema, what: z.enum(['came', 'changed', 'went', 'seen']) })),
})
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>

const LONGEST_DEFINITION = 50_000
const LONGEST_HISTORY = 20
const MOST_EARLIER = 10
/** Of all that is kept of earlier times, in characters. */
const LONGEST_EARLIER = 100_000

const ledgerId = (serverId: string, toolName: string): string => `${serverId} ${toolName}`.slice(0, 200)

export interface ListedDefinition {
  name: string
  fingerprint: string
  /** As JSON. */
  definition: string
}

const told = (entry: LedgerEntry, at: number, what: LedgerEntry['history'][number]['what']): LedgerEntry['history'] =>
  [...entry.history, { at, what }].slice(-LONGEST_HISTORY)

/** What it was until now joins what it was before. */
function withEarlier({ earlier = [], ...was }: LedgerEntry, at: number): NonNullable<LedgerEntry['earlier']> {
  const { fingerprint, endpoint, definition } = was
  const all = [...earlier, { fingerprint, endpoint, definition, until: at }].slice(-MOST_EARLIER)
  let left = LONGEST_EARLIER
  const first = all.findLastIndex(({ definition: { length } }) => (left -= length) < 0)
  return all.slice(first + 1)
}

function relisted(entry: LedgerEntry, now: Defined, at: number): LedgerEntry | undefined {
  const back = entry.isThere ? entry : { ...entry, isThere: true, history: told(entry, at, 'came') }
  if (entry.fingerprint === now.fingerprint) return entry.isThere ? undefined : back
  const { fingerprint, endpoint, definition } = entry
  const before = entry.before ?? { fingerprint, endpoint, definition }
  const earlier = withEarlier(entry, at)
  // Back to what the user saw: as if nothing had been.
  if (before.fingerprint === now.fingerprint) {
    const { before: _, ...rest } = back
    return { ...rest, ...now, earlier, state: 'seen', history: told(back, at, 'changed') }
  }
  return { ...back, ...now, before, earlier, state: 'changed', history: told(back, at, 'changed') }
}

/** The entries that a list of tools changes. A server that is listed for the first time has nothing new: the user is just meeting it. */
export function noteTools(
  serverId: string,
  known: readonly LedgerEntry[],
  listed: readonly ListedDefinition[],
  endpoint: string,
  at: number,
): LedgerEntry[] {
  const byName = new Map(known.map((entry) => [entry.toolName, entry]))
  const names = new Set(listed.map(({ name }) => name))
  const gone = known
    .filter(({ toolName, isThere }) => isThere && !names.has(toolName))
    .map((entry) => ({ ...entry, isThere: false, history: told(entry, at, 'went') }))
  const there = listed.flatMap(({ name, fingerprint, definition: text }): LedgerEntry[] => {
    const definition = text.slice(0, LONGEST_DEFINITION)
    const now: Defined = { fingerprint, endpoint, definition }
    const entry = byName.get(name)
    const next = entry && relisted(entry, now, at)
    if (entry) return next ? [next] : []
    const state = known.length === 0 ? 'seen' : 'new'
    const id = ledgerId(serverId, name)
    return [{ id, serverId, toolName: name, ...now, state, isThere: true, history: [{ at, what: 'came' }] }]
  })
  return [...gone, ...there]
}

/** The user has seen it as it is now. */
export function seen({ before: _, ...entry }: LedgerEntry, at: number): LedgerEntry {
  return { ...entry, state: 'seen', history: told(entry, at, 'seen') }
}
