import { quote } from '../failure.ts'
import { isObject, type JsonObject } from '../jsonrpc.ts'
import { flattenRoot } from './flatten-root.ts'

/** The server's schema as the model gets it; throws where a provider would refuse all tools because of this one. */
export function readInputSchema(given: unknown): JsonObject {
  if (!isObject(given)) throw new TypeError('its inputSchema is no object')
  const schema = flattenRoot(withoutNulls(given))
  const { type, properties = {}, required, additionalProperties } = schema
  if (type !== undefined && type !== 'object') throw new TypeError('its inputSchema is not of type object')
  if (!isObject(properties)) throw new TypeError('the properties of its inputSchema are no object')
  for (const key in properties) {
    const property = properties[key]
    if (!isObject(property) && typeof property !== 'boolean')
      throw new TypeError(`${quote(key)} in its inputSchema has no schema`)
  }
  if (required !== undefined && !(Array.isArray(required) && required.every((key) => typeof key === 'string')))
    throw new TypeError('required in its inputSchema is no list of names')
  return {
    ...schema,
    type: 'object',
    properties,
    // What else it takes counts only where the server says what that is: models fill what is merely open with inventions.
    additionalProperties: isObject(additionalProperties) ? additionalProperties : false,
  }
}

/** Programs that write `required: null` mean that there is nothing; a provider would not see it so. */
function withoutNulls(schema: JsonObject): JsonObject {
  const isNull = (key: string): boolean => schema[key] === null && key !== 'default' && key !== 'const'
  if (!Object.keys(schema).some(isNull)) return schema
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !isNull(key)))
}
