import { shortValue } from '#lib/json-schema/describe-schema.ts'
import type { FieldPlan } from '#lib/json-schema/field-plan.ts'
import { planField } from '#lib/json-schema/plan-field.ts'

/** A field of a schema as a line to read. */
export interface SchemaRow {
  /** Its name, after those of what it is in. */
  name: string
  depth: number
  type: string
  isRequired: boolean
  /** A stranger's words, made visible. */
  description: string
  /** What it must be like, in our words. */
  hints: string[]
}

const DEEPEST = 3
const MOST_ROWS = 200
const MOST_CHOICES = 8

/** The fields of a schema, those inside after what they are in. A schema may hold itself, so that there is an end to it. */
export function schemaRows(schema: unknown): { rows: SchemaRow[]; isCut: boolean } {
  const rows: SchemaRow[] = []
  let isCut = false
  const add = (plan: FieldPlan, depth: number): void => {
    const inside = plan.kind === 'array' && plan.rest ? planField(schema, plan.rest.schema) : plan
    if (inside.kind !== 'object') return
    for (const { key, schema: part, required } of inside.properties) {
      if (rows.length >= MOST_ROWS) {
        isCut = true
        return
      }
      const field = planField(schema, part, key)
      rows.push({
        name: key,
        depth,
        type: typeInWords(schema, field),
        isRequired: required,
        description: field.description ?? '',
        hints: [...field.hints, ...(field.default ? [`default ${shortValue(field.default.value)}`] : [])],
      })
      if (depth < DEEPEST) add(field, depth + 1)
      else isCut ||= field.kind === 'object' && field.properties.length > 0
    }
  }
  add(planField(schema, schema), 0)
  return { rows, isCut }
}

function typeInWords(root: unknown, plan: FieldPlan): string {
  const words = kindInWords(root, plan)
  return plan.nullable ? `${words} or null` : words
}

function kindInWords(root: unknown, plan: FieldPlan): string {
  switch (plan.kind) {
    case 'text':
      return plan.format === 'plain' ? 'text' : `text (${plan.format})`
    case 'number':
      return plan.integer ? 'whole number' : 'number'
    case 'boolean':
      return 'yes or no'
    case 'constant':
      return `always ${shortValue(plan.value)}`
    case 'choice':
    case 'choices': {
      const labels = plan.options.slice(0, MOST_CHOICES).map(({ label }) => label)
      const more = plan.options.length + plan.more - labels.length
      const list = `${labels.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
      return `${plan.kind === 'choice' ? 'one of' : 'some of'} ${list}`
    }
    case 'object':
      return 'object'
    case 'array': {
      const inside = plan.rest && planField(root, plan.rest.schema)
      return !inside || inside.kind === 'array' ? 'list' : `list of ${kindInWords(root, inside)}`
    }
    case 'union':
      return plan.branches.map(({ label }) => label).join(' or ')
    case 'json':
      return 'any JSON'
  }
}
