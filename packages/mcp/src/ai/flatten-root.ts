import { isObject, type JsonObject } from '../jsonrpc.ts'

/** What providers refuse at the root of a schema, and all tools of a request with it. */
const COMBINED = ['allOf', 'anyOf', 'oneOf', 'not', 'enum', 'const']
/** Parts in parts, and references in circles. */
const MAX_DEPTH = 8
/** Parts and their properties: a few references to each other could mean millions. */
const MAX_PIECES = 5000

/**
 * A schema that is put together from others, as one object: all properties that any part of it knows, and what every choice
 * needs. The model may try what the server then refuses; without this it could try nothing.
 */
export function flattenRoot(root: JsonObject): JsonObject {
  let pieces = 0
  const count = <T>(found: T[]): T[] => {
    pieces += found.length
    if (pieces > MAX_PIECES) throw new TypeError('its inputSchema is put together from too many parts')
    return found
  }

  const flatten = (schema: JsonObject, depth: number): JsonObject => {
    const referred = resolve(schema['$ref'], root)
    if (!referred && !COMBINED.some((keyword) => keyword in schema)) return schema
    const gone = referred ? [...COMBINED, '$ref'] : COMBINED
    const own = Object.fromEntries(Object.entries(schema).filter(([key]) => !gone.includes(key)))
    if (depth === MAX_DEPTH) return own
    const partsOf = (list: unknown[]): JsonObject[] =>
      count(list.filter(isObject)).map((part) => flatten(part, depth + 1))
    const all = [own, ...partsOf([referred, ...asList(schema['allOf'])])]
    const choices = [partsOf(asList(schema['anyOf'])), partsOf(asList(schema['oneOf']))]
    const properties = new Map<string, Set<unknown>>()
    for (const { properties: known } of [...all, ...choices.flat()]) {
      for (const [key, property] of count(Object.entries(isObject(known) ? known : {})))
        properties.set(key, (properties.get(key) ?? new Set()).add(property))
    }
    const required = all.flatMap(requiredOf)
    for (const [first = {}, ...others] of choices)
      required.push(...requiredOf(first).filter((key) => others.every((other) => requiredOf(other).includes(key))))
    return {
      ...own,
      properties: Object.fromEntries([...properties].map(([key, found]) => [key, anyOf([...found])])),
      ...(required.length > 0 && { required: [...new Set(required)] }),
    }
  }
  return flatten(root, 0)
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const requiredOf = ({ required }: JsonObject): string[] => asList(required).filter((key) => typeof key === 'string')

/** What fits one of these. */
function anyOf(schemas: unknown[]): unknown {
  if (schemas.length === 1) return schemas[0]
  const different = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]))
  return different.size === 1 ? schemas[0] : { anyOf: [...different.values()] }
}

/** What a reference into the same schema means; others are not followed. */
function resolve(reference: unknown, root: JsonObject): JsonObject | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined
  let found: unknown = root
  for (const step of reference.slice(2).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined
  }
  return isObject(found) ? found : undefined
}
