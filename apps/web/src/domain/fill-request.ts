import type { CustomTool, CustomToolPlace } from './custom-tool.ts'
import { addressFault, addressParts, fillPlaces, placesIn } from './custom-tool-address.ts'
import { Failed } from './failure.ts'
import { isHeaderValue, isSafeHeader } from './safe-header.ts'

/** A request as it will be sent, but for who asks: no credentials are in it. */
export interface FilledRequest {
  method: CustomTool['method']
  url: string
  headers: Record<string, string>
  body?: string
}

type Shape = Pick<CustomTool, 'name' | 'method' | 'url' | 'places' | 'wireNames' | 'inputSchema' | 'bodyType'>

const TYPES = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const

export const hasBody = (method: CustomTool['method']): boolean => method !== 'GET' && method !== 'DELETE'

/** Where an argument goes. */
export function placeOf({ method, url, places }: Omit<Shape, 'name' | 'inputSchema'>, name: string): CustomToolPlace {
  // A place in the address is filled, whatever is said elsewhere: it could not be sent with its braces.
  if (placesIn(url).includes(name)) return 'path'
  const said = Object.hasOwn(places, name) ? places[name] : undefined
  const usual = hasBody(method) ? 'body' : 'query'
  return said === undefined || said === 'path' || (said === 'body' && !hasBody(method)) ? usual : said
}

/** What an argument is called on the way. */
export const wireNameOf = ({ wireNames = {} }: Pick<CustomTool, 'wireNames'>, name: string): string =>
  Object.hasOwn(wireNames, name) ? (wireNames[name] ?? name) : name

/** The request that a call with these arguments makes. Rejects with `Failed` what could not be sent as it is meant. */
export function fillRequest(tool: Shape, args: Record<string, unknown>): FilledRequest {
  const fault = addressFault(tool.url)
  if (fault !== undefined) throw new Failed('bad-input', `${tool.name} has no usable address. ${fault}`)
  const given = new Map(Object.entries(args).filter(([, value]) => value !== undefined))
  const at = (place: CustomToolPlace) => [...given].filter(([name]) => placeOf(tool, name) === place)

  const headers: Record<string, string> = {}
  for (const [name, value] of at('header')) {
    const header = wireNameOf(tool, name).toLowerCase()
    if (!isSafeHeader(header)) throw bad(tool, `“${name}” cannot travel as a header: the app sets it itself.`)
    const text = textOf(tool, name, value)
    if (!isHeaderValue(text)) throw bad(tool, `“${name}” has characters that no header can carry.`)
    if (value !== null) headers[header] = text
  }
  const body = bodyOf(tool, at('body'))
  return {
    method: tool.method,
    url: urlOf(tool, given, at('query')),
    headers: { ...headers, ...(body !== undefined && { 'content-type': TYPES[tool.bodyType ?? 'json'] }) },
    ...(body !== undefined && { body }),
  }
}

const bad = ({ name }: Shape, words: string): Failed => new Failed('bad-arguments', `${name} was not called. ${words}`)

function urlOf(tool: Shape, given: ReadonlyMap<string, unknown>, query: readonly [string, unknown][]): string {
  const parts = addressParts(tool.url)
  if (!parts) throw bad(tool, 'It has no address.')
  const part = (name: string): string => encoded(tool, name, given.get(name))
  const path = fillPlaces(parts.path, (name) => {
    const text = part(name)
    if (text === '') throw bad(tool, `“${name}” is a part of the address and cannot be empty.`)
    return text
  })
  // Arguments that stand side by side could make such a step together.
  const isStep = (segment: string): boolean => /^(\.|%2e){1,2}$/i.test(segment)
  if (path.split('/').filter(isStep).length > parts.path.split('/').filter(isStep).length)
    throw bad(tool, 'Its arguments would lead to another path.')
  const pairs = query.flatMap(([name, value]) => pairsOf(tool, name, value))
  const asked = [fillPlaces(parts.query, part).slice(1), ...pairs].filter(Boolean).join('&')
  const url = `${parts.origin}${path || '/'}${asked && `?${asked}`}`
  if (!URL.canParse(url) || new URL(url).origin !== new URL(parts.origin).origin)
    throw bad(tool, 'Its arguments would lead to another host.')
  return new URL(url).href
}

/** A value as a part of an address. A server may undo the encoding before it looks: steps upwards are refused as such. */
function encoded(tool: Shape, name: string, value: unknown): string {
  if (value === undefined || value === null) throw bad(tool, `It needs “${name}”, which is a part of the address.`)
  const text = textOf(tool, name, value)
  if (text.split(/[/\\]/).some((step) => step === '.' || step === '..'))
    throw bad(tool, `“${name}” would lead to another path (“${text.slice(0, 40)}”).`)
  return escaped(tool, name, text)
}

function escaped(tool: Shape, name: string, text: string): string {
  // Line ends and tabs are text; a NUL ends it for many who read it.
  if (/\p{Cc}/u.test(text.replace(/[\t\n\r]/g, ''))) throw bad(tool, `“${name}” holds control characters.`)
  try {
    return encodeURIComponent(text)
  } catch {
    throw bad(tool, `“${name}” holds half a character, which cannot be sent.`)
  }
}

function pairsOf(tool: Shape, name: string, value: unknown): string[] {
  const key = escaped(tool, name, wireNameOf(tool, name))
  if (value === null) return []
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.map((one) => `${key}=${escaped(tool, name, textOf(tool, name, one, true))}`)
}

/** A value as text. Only where it says so an object may stand: as its JSON. */
function textOf(tool: Shape, name: string, value: unknown, isJsonAllowed = false): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === null) return ''
  if (Array.isArray(value)) return value.map((part) => textOf(tool, name, part)).join(',')
  if (isJsonAllowed) return JSON.stringify(value)
  throw bad(tool, `“${name}” is an object, and there is only room for a text.`)
}

function bodyOf(tool: Shape, members: readonly [string, unknown][]): string | undefined {
  if (!hasBody(tool.method)) return undefined
  const whole = members.find(([name]) => wireNameOf(tool, name) === '')
  if (whole && tool.bodyType !== 'form') return JSON.stringify(whole[1])
  const { properties } = tool.inputSchema
  const known = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  // A tool that has nothing to say in a body sends none, and no content type, which some servers refuse to see alone.
  if (members.length === 0 && !known.some((name) => placeOf(tool, name) === 'body' && wireNameOf(tool, name) !== ''))
    return undefined
  if (tool.bodyType === 'form') return members.flatMap(([name, value]) => pairsOf(tool, name, value)).join('&')
  // Pairs become members of their own, also one that is called __proto__.
  return JSON.stringify(Object.fromEntries(members.map(([name, value]) => [wireNameOf(tool, name), value])))
}
