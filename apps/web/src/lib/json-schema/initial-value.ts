import { asObjectSchema } from './as-object-schema.ts'
import type { FieldPlan } from './field-plan.ts'
import { planField } from './plan-field.ts'
import { isRecord } from './schema.ts'

// Objects that need an object of their own kind would never end.
const DEEPEST = 6
const MOST_FIELDS = 500

export interface StartOptions {
  /** Also the defaults of fields that may be left out: they are shown and sent, as if they had been typed. */
  defaults?: boolean
}

/**
 * What a form begins with: objects that are needed, constants, and the defaults of what is needed. A field that may be
 * left out is left out until somebody touches it, for the server to fill in as it likes.
 */
export function initialValue(schema: unknown, options: StartOptions = {}): Record<string, unknown> {
  const value = startOf(schema, planField(schema, asObjectSchema(schema)), options, { depth: 0, left: MOST_FIELDS })
  return isRecord(value) ? value : {}
}

/** What a place begins with that somebody just added; undefined where it begins empty. */
export function valueToAdd(root: unknown, schema: unknown): unknown {
  const plan = planField(root, schema)
  const value = startOf(root, plan, {}, { depth: 0, left: MOST_FIELDS })
  if (value !== undefined) return value
  if (plan.kind === 'object') return {}
  if (plan.kind === 'array' || plan.kind === 'choices') return []
  return undefined
}

interface Room {
  depth: number
  left: number
}

function startOf(root: unknown, plan: FieldPlan, options: StartOptions, room: Room): unknown {
  if (plan.default && (plan.default.value !== null || plan.nullable)) return structuredClone(plan.default.value)
  if (plan.kind === 'constant') return plan.value
  if (plan.kind !== 'object' || room.depth >= DEEPEST) return undefined
  const value: Record<string, unknown> = {}
  for (const { key, schema, required } of plan.properties) {
    if (room.left-- <= 0) break
    if (!required && !options.defaults) continue
    const below = planField(root, schema, key)
    if (!required && !below.default) continue
    const start = startOf(root, below, options, { ...room, depth: room.depth + 1 })
    // Defined, not assigned: a property called `__proto__` is one like any other.
    if (start !== undefined)
      Object.defineProperty(value, key, { value: start, enumerable: true, configurable: true, writable: true })
  }
  return value
}
