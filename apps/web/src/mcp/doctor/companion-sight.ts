import { isObject } from './is-object.ts'
import type { CompanionSight, SeenAnswer } from './evidence.ts'

const OUTCOMES = ['dns', 'private', 'refused', 'tls', 'late', 'broken'] as const

/** What the companion said of an address; undefined where it says what we do not understand. */
export function readSight(said: Record<string, unknown>): CompanionSight | undefined {
  const { outcome, reason, preflight, answer } = said
  if (outcome === 'answered') {
    const [asked, answered] = [readSeen(preflight), readSeen(answer)]
    return asked && answered && { outcome, preflight: asked, answer: answered }
  }
  const known = OUTCOMES.find((one) => one === outcome)
  return known && { outcome: known, reason: typeof reason === 'string' ? reason.slice(0, 500) : '' }
}

function readSeen(value: unknown): SeenAnswer | undefined {
  if (!isObject(value) || typeof value['status'] !== 'number' || !isObject(value['headers'])) return undefined
  const headers = Object.entries(value['headers']).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return { status: value['status'], headers: Object.fromEntries(headers) }
}
