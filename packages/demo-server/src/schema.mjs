import { fromJsonSchema } from '@modelcontextprotocol/server'

/** @param {string} value */
export const text = (value) => ({ content: [{ type: /** @type {const} */ ('text'), text: value }] })

/** @type {Map<string, import('@modelcontextprotocol/server').StandardSchemaWithJSON<any, any>>} */
const made = new Map()

/**
 * The schema of an object, all of whose properties are required unless named otherwise. Each is made once: a request that needs
 * no session has a server of its own, and would wait for all of them to be compiled.
 * @param {Record<string, object>} properties
 * @param {string[]} [required]
 */
export function object(properties, required = Object.keys(properties)) {
  const key = JSON.stringify([properties, required])
  const schema = made.get(key) ?? fromJsonSchema({ type: 'object', properties, required })
  made.set(key, schema)
  return schema
}
