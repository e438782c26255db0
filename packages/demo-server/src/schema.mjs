import { fromJsonSchema } from '@modelcontextprotocol/server'

/** @param {string} value */
export const text = (value) => ({ content: [{ type: /** @type {const} */ ('text'), text: value }] })

/**
 * The schema of an object, all of whose properties are required unless named otherwise.
 * @param {Record<string, object>} properties
 * @param {string[]} [required]
 * @returns {import('@modelcontextprotocol/server').StandardSchemaWithJSON<any, any>}
 */
export const object = (properties, required = Object.keys(properties)) =>
  fromJsonSchema({ type: 'object', properties, required })
