import * as z from 'zod/mini'
import { Failed } from '#domain/failure.ts'
import '#domain/text.ts'

function problemOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'is empty'
        : `is too ${issue.origin === 'number' ? 'small' : 'short'}, the least is ${issue.minimum}`
    case 'too_big':
      return `is too ${issue.origin === 'number' ? 'large' : 'long'}, the most is ${issue.maximum}`
    case 'invalid_type':
      return `is not of type ${issue.expected}`
    case 'invalid_value':
      return `is none of ${issue.values.map(String).join(', ')}`
    default:
      return 'is not valid'
  }
}

const withoutUndefined = (row: object) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))

/** A row as its schema wants it; what does not fit is refused by the name of its field. */
export function checked<Schema extends z.core.$ZodType>(schema: Schema, row: object, what: string): z.output<Schema> {
  const parsed = z.safeParse(schema, withoutUndefined(row))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = issue?.path.map(String).join('.') || 'whole'
  throw new Failed('bad-input', `The ${what} was not saved: its ${field} ${issue ? problemOf(issue) : 'is not valid'}.`)
}
