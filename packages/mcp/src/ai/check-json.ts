import { isObject, type JsonObject } from '../jsonrpc.ts'

const KINDS: { [type: string]: (value: unknown) => boolean } = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
}

/**
 * What is wrong with a value by a JSON Schema, as far as its shape goes: type, enum, const, required, properties,
 * additionalProperties: false, items. All else in a schema is told to the model and not checked.
 */
export function checkJson(schema: unknown, value: unknown, where = 'the value'): string | undefined {
  if (schema === false) return `${where} must not be there`
  if (!isObject(schema)) return undefined
  const { type, enum: allowed, required, properties, items, additionalProperties } = schema
  const types = (Array.isArray(type) ? type : [type]).map(String).filter((name) => Object.hasOwn(KINDS, name))
  if (types.length > 0 && !types.some((name) => KINDS[name]!(value))) return `${where} is not ${types.join(' or ')}`
  const same = (one: unknown): boolean => JSON.stringify(one) === JSON.stringify(value)
  if (Array.isArray(allowed) && !allowed.some(same)) return `${where} is none of its choices`
  if ('const' in schema && !same(schema['const'])) return `${where} is not what it must be`
  if (Array.isArray(value)) return firstFault(value, (item, index) => checkJson(items, item, `${where}[${index}]`))
  if (!isObject(value)) return undefined
  const needed = Array.isArray(required) ? required.map(String) : []
  const missing = needed.find((key) => !Object.hasOwn(value, key))
  if (missing !== undefined) return `${where} lacks ${missing}`
  const known: JsonObject = isObject(properties) ? properties : {}
  return firstFault(Object.entries(value), ([key, inner]) => {
    if (Object.hasOwn(known, key)) return checkJson(known[key], inner, key)
    return additionalProperties === false && !('patternProperties' in schema) ? `${where} has no ${key}` : undefined
  })
}

function firstFault<T>(list: readonly T[], check: (one: T, index: number) => string | undefined): string | undefined {
  for (const [index, one] of list.entries()) {
    const fault = check(one, index)
    if (fault) return fault
  }
  return undefined
}
