import { isObject, type JsonObject } from '../jsonrpc.ts'
import { encodeHeaderValue } from './header-value.ts'

/** Where a tool's arguments hold a value that travels as a header too. */
export interface ParamHeader {
  path: readonly string[]
  header: string
}

export const PARAM_HEADER = 'x-mcp-header'

function isAnnotated(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(isAnnotated)
  return isObject(schema) && (PARAM_HEADER in schema || Object.values(schema).some(isAnnotated))
}

/** The headers that an input schema asks for; throws a TypeError saying why when it asks wrongly. */
export function paramHeaders(inputSchema: unknown): ParamHeader[] {
  const found: ParamHeader[] = []
  const names = new Set<string>()
  const walk = (schema: JsonObject, path: string[]): void => {
    const { properties, ...rest } = schema
    if (isObject(properties)) {
      for (const [key, property] of Object.entries(properties)) {
        if (!isObject(property)) continue
        const { [PARAM_HEADER]: name, ...inner } = property
        if (PARAM_HEADER in property) {
          if (typeof name !== 'string' || !/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
            throw new TypeError('its x-mcp-header is no header name')
          if (!/^(string|integer|boolean)$/.test(String(property['type'])))
            throw new TypeError('its x-mcp-header needs a plain type')
          const lower = name.toLowerCase()
          if (names.has(lower)) throw new TypeError(`its x-mcp-header names ${name} twice`)
          names.add(lower)
          found.push({ path: [...path, key], header: `mcp-param-${lower}` })
        }
        walk(inner, [...path, key])
      }
    }
    // Inside items, anyOf or $defs no single value belongs to the header.
    if (isAnnotated(rest)) throw new TypeError('its x-mcp-header stands where no single value is')
  }
  if (isObject(inputSchema)) walk(inputSchema, [])
  return found
}

/** The headers of one call; throws a TypeError for an integer that a number cannot hold exactly. */
export function encodeParamHeaders(headers: readonly ParamHeader[], args: unknown): Record<string, string> {
  const out: Record<string, string> = {}
  for (const { path, header } of headers) {
    let value = args
    for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
    if (value === undefined || value === null) continue
    if (typeof value === 'number' && !Number.isSafeInteger(value))
      throw new TypeError(`${path.join('.')} is no safe integer`)
    out[header] = encodeHeaderValue(String(value as string | number | boolean))
  }
  return out
}
