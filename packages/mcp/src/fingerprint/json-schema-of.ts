import { must } from '../errors.ts'
import { isObject, type JsonObject } from '../jsonrpc.ts'

/** The JSON Schema that `ai` tells a model, behind whatever a tool of it may have as its schema. */
export async function jsonSchemaOf(given: unknown, toolName: string): Promise<unknown> {
  if (given == null) return { type: 'object', properties: {}, additionalProperties: false }
  const standard = standardOf(given)
  if (standard) {
    const { jsonSchema } = standard
    const input = isObject(jsonSchema) ? (jsonSchema['input'] as ToJsonSchema | undefined) : undefined
    must(
      input,
      `The input schema of ${toolName} cannot be written as JSON Schema: use Zod 4.2 or newer, or jsonSchema()`,
    )
    return closeObjects(input({ target: 'draft-07' }))
  }
  const schema: unknown = typeof given === 'function' ? (given as () => unknown)() : given
  must(
    isObject(schema) && 'jsonSchema' in schema,
    `The input schema of ${toolName} cannot be read: fingerprintTools takes tools of the AI SDK`,
  )
  return schema['jsonSchema']
}

type ToJsonSchema = (options: { target: string }) => JsonObject

/** What a Standard Schema says of itself; some of them are functions. */
function standardOf(schema: unknown): JsonObject | undefined {
  const standard = (schema as { '~standard'?: unknown })['~standard']
  return isObject(standard) ? standard : undefined
}

/** As `ai` does before a model sees it: an object takes no more than what is described. */
function closeObjects(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const closed: JsonObject = { ...schema }
  const { type, additionalProperties } = schema
  if (type === 'object' || (Array.isArray(type) && type.includes('object'))) {
    closed['additionalProperties'] = isObject(additionalProperties) ? closeObjects(additionalProperties) : false
    inEach(closed, 'properties')
  }
  for (const keyword of ['items', 'anyOf', 'allOf', 'oneOf']) inList(closed, keyword)
  inEach(closed, 'definitions')
  return closed
}

function inEach(schema: JsonObject, keyword: string): void {
  const members = schema[keyword]
  if (isObject(members))
    schema[keyword] = Object.fromEntries(Object.entries(members).map(([key, inner]) => [key, closeObjects(inner)]))
}

function inList(schema: JsonObject, keyword: string): void {
  const inner = schema[keyword]
  if (inner != null) schema[keyword] = Array.isArray(inner) ? inner.map(closeObjects) : closeObjects(inner)
}
