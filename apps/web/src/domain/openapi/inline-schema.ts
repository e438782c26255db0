import { resolved } from './follow-reference.ts'
import { isJson, type Json, textOf } from './read-document.ts'

/** What one operation may take: a document of a few lines can stand for more than there is memory. */
export interface SchemaBudget {
  left: number
  /** What was left open, in words. */
  notes: Set<string>
}

export const newBudget = (): SchemaBudget => ({ left: 600, notes: new Set() })

const MAX_DEPTH = 16
const MAX_MEMBERS = 200
const MAX_ENUM = 300
const KEPT = [
  'format',
  'const',
  'minimum',
  'maximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
] as const
const isScalar = (value: unknown): boolean =>
  value === null ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.length <= 500)

/** A schema of a document as one that stands by itself: no references, no more than fits, in today's words. */
export function inlineSchema(
  document: Json,
  value: unknown,
  budget: SchemaBudget,
  above: readonly string[] = [],
): Json {
  if (!isJson(value)) return {}
  budget.left -= 1
  if (budget.left < 0 || above.length > MAX_DEPTH) {
    budget.notes.add('A part of its schema is too large or too deep, and is left open.')
    return {}
  }
  const reference = value['$ref']
  if (typeof reference === 'string') {
    if (above.includes(reference)) {
      budget.notes.add('A part of its schema holds itself, and is left open below the first level.')
      return {}
    }
    const target = resolved(document, value)
    if (!isJson(target)) {
      budget.notes.add(`It refers to ${textOf(reference, 80)}, which is not in the document; that part is left open.`)
      return {}
    }
    const description = textOf(value['description'], 500)
    return { ...inlineSchema(document, target, budget, [...above, reference]), ...(description && { description }) }
  }
  const inner = (part: unknown): Json => inlineSchema(document, part, budget, [...above, ''])
  return { ...words(value), ...plainRules(value), ...structure(value, inner) }
}

function words(value: Json): Json {
  const title = textOf(value['title'], 100)
  const description = textOf(value['description'], 500)
  return { ...(title && { title }), ...(description && { description }) }
}

function plainRules(value: Json): Json {
  const kept = KEPT.filter((key) => Object.hasOwn(value, key) && isScalar(value[key])).map((key) => [key, value[key]])
  const rules = Object.fromEntries(kept) as Json
  const { type, default: usual, pattern, nullable } = value
  const types = (Array.isArray(type) ? type : [type])
    .filter((one): one is string => typeof one === 'string')
    .slice(0, 7)
  // Version 3.0 has a word of its own for it.
  const all = nullable === true && types.length > 0 ? [...new Set([...types, 'null'])] : types
  if (all.length > 0) rules['type'] = all.length === 1 ? all[0] : all
  if (Array.isArray(value['enum'])) {
    const choices: unknown[] = value['enum'].filter(isScalar).slice(0, MAX_ENUM)
    if (choices.length > 0) rules['enum'] = nullable === true && !choices.includes(null) ? [...choices, null] : choices
  }
  if (usual !== undefined && isScalar(usual)) rules['default'] = usual
  if (typeof pattern === 'string' && pattern.length <= 300) rules['pattern'] = pattern
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const said = value[exclusive]
    if (typeof said === 'number') rules[exclusive] = said
    // In version 3.0 it says of the other one that it is meant so.
    if (said === true && typeof rules[bound] === 'number') {
      rules[exclusive] = rules[bound]
      delete rules[bound]
    }
  }
  return rules
}

function structure(value: Json, inner: (part: unknown) => Json): Json {
  const found: Json = {}
  const { properties, additionalProperties, items, prefixItems } = value
  if (isJson(properties)) {
    // What only the server writes is nothing that one sends.
    const members = Object.entries(properties).filter(([, part]) => !(isJson(part) && part['readOnly'] === true))
    const kept = members.slice(0, MAX_MEMBERS)
    found['type'] ??= 'object'
    found['properties'] = Object.fromEntries(kept.map(([name, part]) => [name, inner(part)]))
    const names = new Set(kept.map(([name]) => name))
    const required = requiredOf(value).filter((name) => names.has(name))
    if (required.length > 0) found['required'] = required
  }
  if (typeof additionalProperties === 'boolean') found['additionalProperties'] = additionalProperties
  else if (isJson(additionalProperties)) found['additionalProperties'] = inner(additionalProperties)
  if (isJson(items)) found['items'] = inner(items)
  if (Array.isArray(prefixItems)) found['prefixItems'] = prefixItems.slice(0, 20).map(inner)
  for (const key of ['allOf', 'anyOf', 'oneOf'] as const) {
    const parts = value[key]
    if (Array.isArray(parts) && parts.length > 0) found[key] = parts.slice(0, 50).map(inner)
  }
  return found
}

export const requiredOf = ({ required }: Json): string[] =>
  Array.isArray(required)
    ? required.filter((name): name is string => typeof name === 'string').slice(0, MAX_MEMBERS)
    : []

/** The members of a schema that is an object and nothing more, parts of it put together; undefined where it is something else. */
export function membersOf(schema: Json): { properties: Map<string, Json>; required: Set<string> } | undefined {
  if (schema['anyOf'] !== undefined || schema['oneOf'] !== undefined) return undefined
  if (schema['type'] !== undefined && schema['type'] !== 'object') return undefined
  const properties = new Map<string, Json>()
  const required = new Set(requiredOf(schema))
  for (const part of Array.isArray(schema['allOf']) ? schema['allOf'].filter(isJson) : []) {
    const members = membersOf(part)
    if (!members) return undefined
    for (const [name, member] of members.properties) properties.set(name, member)
    for (const name of members.required) required.add(name)
  }
  if (isJson(schema['properties']))
    for (const [name, member] of Object.entries(schema['properties'])) if (isJson(member)) properties.set(name, member)
  return properties.size > 0 ? { properties, required } : undefined
}
