import { type SchemaDraft, Validator } from '@cfworker/json-schema'
import { type FaultPlace, placeFault } from './place-fault.ts'

export type SchemaVerdict =
  | { outcome: 'fits' }
  /** Where and why, for a person and a model. */
  | { outcome: 'unfit'; faults: string[] /** The same for a form: each at its field. */; places: FaultPlace[] }
  /** The schema itself cannot be used. */
  | { outcome: 'unusable'; problem: string; tooSlow?: true }

const MAX_FAULTS = 5
const MAX_PLACES = 50
// They only say that something below them is wrong, which is said there.
const WRAPPERS = new Set(
  '$ref allOf properties patternProperties additionalProperties unevaluatedProperties items prefixItems additionalItems unevaluatedItems dependentSchemas then else if'.split(
    ' ',
  ),
)

/** Checks a value against a schema, both as JSON text. May take for ever: run it where it can be ended. */
export function matchSchema(schemaText: string, valueText: string): SchemaVerdict {
  try {
    const schema = JSON.parse(schemaText) as object
    dropBadPatterns(schema)
    const { valid, errors } = new Validator(schema, draftOf(schema), false).validate(JSON.parse(valueText))
    if (valid) return { outcome: 'fits' }
    const leaves = errors.filter(({ keyword }) => !WRAPPERS.has(keyword))
    const told = leaves.length > 0 ? leaves : errors
    const faults = told.map(({ instanceLocation, error }) =>
      `${instanceLocation === '#' ? '' : `${instanceLocation.slice(1)}: `}${error}`.slice(0, 300),
    )
    const places = told.slice(0, MAX_PLACES).map(placeFault)
    return { outcome: 'unfit', faults: [...new Set(faults)].slice(0, MAX_FAULTS), places }
  } catch (error) {
    const why = error instanceof RangeError ? 'it refers to itself without end' : (error as Error).message
    return { outcome: 'unusable', problem: `could not be checked: ${why.split('\n')[0]?.slice(0, 200)}` }
  }
}

function draftOf(schema: { $schema?: unknown }): SchemaDraft {
  const { $schema } = schema
  if (typeof $schema !== 'string') return '2020-12'
  if ($schema.includes('draft-04')) return '4'
  if (/draft-0[67]/.test($schema)) return '7'
  return $schema.includes('2019-09') ? '2019-09' : '2020-12'
}

/** Patterns that other languages take and ours does not check nothing: the server will. */
function dropBadPatterns(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return
  const { pattern, patternProperties } = schema as { pattern?: unknown; patternProperties?: unknown }
  if (typeof pattern === 'string' && !isPattern(pattern)) delete (schema as { pattern?: unknown }).pattern
  if (typeof patternProperties === 'object' && patternProperties !== null)
    for (const key of Object.keys(patternProperties))
      if (!isPattern(key)) delete (patternProperties as Record<string, unknown>)[key]
  for (const part of Object.values(schema)) dropBadPatterns(part)
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}
