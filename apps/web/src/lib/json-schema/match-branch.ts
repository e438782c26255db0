import type { Branch, FieldPlan } from './field-plan.ts'
import { planField } from './plan-field.ts'
import { isRecord, ownOf } from './schema.ts'

const MOST_LOOKED_AT = 50
// Unions that hold each other would be looked at for ever.
const MOST_LOOKS = 200

/** Which branch a value is most likely of, by a look at its first level; -1 where it is of none. */
export function matchBranch(
  root: unknown,
  branches: readonly Branch[],
  value: unknown,
  budget = { looks: MOST_LOOKS },
): number {
  const scores = branches.map(({ schema }) =>
    budget.looks-- > 0 ? scoreOf(root, planField(root, schema), value, budget) : -1,
  )
  const best = Math.max(-1, ...scores)
  return best < 0 ? -1 : scores.indexOf(best)
}

function scoreOf(root: unknown, plan: FieldPlan, value: unknown, budget: { looks: number }): number {
  if (value === null) return plan.nullable || (plan.kind === 'constant' && plan.value === null) ? 1 : -1
  switch (plan.kind) {
    case 'text':
      return typeof value === 'string' ? 1 : -1
    case 'number':
      // What is typed and no number yet is a text.
      return typeof value === 'number'
        ? plan.integer && !Number.isInteger(value)
          ? 1
          : 2
        : typeof value === 'string'
          ? 0
          : -1
    case 'boolean':
      return typeof value === 'boolean' ? 1 : -1
    case 'constant':
      return same(plan.value, value) ? 3 : -1
    case 'choice':
      return plan.options.some((option) => same(option.value, value)) ? 2 : -1
    case 'array':
    case 'choices':
      return Array.isArray(value) ? 1 : -1
    case 'union':
      return matchBranch(root, plan.branches, value, budget) >= 0 ? 1 : -1
    case 'object':
      return isRecord(value) ? scoreOfObject(root, plan, value) : -1
    case 'json':
      return 0
  }
}

function scoreOfObject(
  root: unknown,
  plan: Extract<FieldPlan, { kind: 'object' }>,
  value: Record<string, unknown>,
): number {
  let score = 1
  for (const { key, schema, required } of plan.properties.slice(0, MOST_LOOKED_AT)) {
    const given = ownOf(value, key)
    if (given === undefined) {
      if (required) score -= 0.1
      continue
    }
    const below = planField(root, schema)
    if (below.kind === 'constant') {
      if (!same(below.value, given)) return -1
      score += 5
    } else score += 1
  }
  return Math.max(0, score)
}

/** As JSON: two lists of the same things are the same. */
export const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)
