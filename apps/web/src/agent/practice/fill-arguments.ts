import { type JsonSchema, propertiesOf, type ToolOnOffer, typeOf } from './tool-on-offer.ts'
import { kinship, stem, tellingWords, wordsOf } from './words.ts'

/** What was said, and what of it has already found its place. */
interface Said {
  text: string
  today: Date
  toolWords: Set<string>
  numbers: { value: number; before: string; after: string; isTaken: boolean }[]
  quotes: { value: string; isTaken: boolean }[]
}

type Property = [key: string, schema: JsonSchema]

const DAY_MS = 86_400_000

function listen(text: string, tool: ToolOnOffer, today: Date): Said {
  const numbers = [...text.matchAll(/(?<![\w.])-?\d+(?:\.\d+)?(?![\w]|\.\d)/g)].map((match) => ({
    value: Number(match[0]),
    before: wordsOf(text.slice(0, match.index)).at(-1) ?? '',
    after: wordsOf(text.slice(match.index + match[0].length)).at(0) ?? '',
    isTaken: false,
  }))
  const quotes = [...text.matchAll(/"([^"]+)"|“([^”]+)”|(?<!\w)'([^']+)'(?!\w)/g)].map(([, a, b, c]) => ({
    value: a ?? b ?? c ?? '',
    isTaken: false,
  }))
  return { text, today, toolWords: new Set(tellingWords(`${tool.name} ${tool.title}`)), numbers, quotes }
}

/** Arguments for a tool, from the words of the user: what nothing is known of keeps the tool's own default. */
export function fillArguments(text: string, tool: ToolOnOffer, today: Date): Record<string, unknown> {
  return fillObject(tool.inputSchema, listen(text, tool, today))
}

function fillObject(schema: JsonSchema, said: Said): Record<string, unknown> {
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const filled: [string, unknown][] = []
  // The plainest name first: "12 files" is `files` before it is `millisecondsPerFile`.
  const byPlainness = propertiesOf(schema).sort(([a], [b]) => wordsOf(a).length - wordsOf(b).length)
  for (const property of byPlainness) {
    const value = find(property, said) ?? (required.has(property[0]) ? invent(property, said) : undefined)
    if (value !== undefined) filled.push([property[0], value])
  }
  return Object.fromEntries(filled)
}

/** What the words say of a property; undefined where they say nothing. */
function find(property: Property, said: Said): unknown {
  const [, schema] = property
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return mentioned(schema.enum, said.text)[0]
  switch (typeOf(schema)) {
    case 'number':
    case 'integer':
      return findNumber(property, said)
    case 'boolean':
      return findBoolean(property, said)
    case 'array':
      return findList(schema, said)
    case 'object':
      return undefined
    default:
      return findText(property, said)
  }
}

/** What a property that must be there gets where the words say nothing. */
function invent([key, schema]: Property, said: Said): unknown {
  if (schema.default !== undefined) return schema.default
  if (Array.isArray(schema.enum)) return schema.enum[0]
  switch (typeOf(schema)) {
    case 'number':
    case 'integer':
      return takeFirst(said.numbers) ?? schema.minimum ?? 1
    case 'boolean':
      return false
    case 'array':
      return []
    case 'object':
      return fillObject(schema, said)
    default:
      return rest(key, said)
  }
}

/** The values of a list that are said, longest first: "New York" before "York". */
export function mentioned(values: readonly unknown[], text: string): unknown[] {
  const words = ` ${wordsOf(text).join(' ')} `
  return values
    .map((value) => ({ value, words: wordsOf(String(value)).join(' ') }))
    .filter((one) => one.words !== '' && words.includes(` ${one.words} `))
    .sort((a, b) => b.words.length - a.words.length)
    .map(({ value }) => value)
}

export const namesOf = ([key, { title = '' }]: Property): string[] => [...new Set(tellingWords(`${key} ${title}`))]

function findNumber(property: Property, { numbers }: Said): number | undefined {
  const names = namesOf(property)
  const { minimum = -Infinity, maximum = Infinity } = property[1]
  const isNear = (word: string) => names.some((name) => kinship(name, word) === 1)
  const found = numbers.find(
    ({ value, before, after, isTaken }) =>
      !isTaken && value >= minimum && value <= maximum && (isNear(after) || isNear(before)),
  )
  if (found) found.isTaken = true
  return found?.value
}

function findBoolean(property: Property, { text }: Said): boolean | undefined {
  const words = wordsOf(text)
  const at = words.findIndex((word) => namesOf(property).includes(word))
  if (at === -1) return undefined
  return !words.slice(Math.max(0, at - 2), at).some((word) => ['without', 'no', 'not', 'don'].includes(word))
}

function findList({ items = {} }: JsonSchema, said: Said): unknown[] | undefined {
  if (Array.isArray(items.enum)) return orNothing(mentioned(items.enum, said.text))
  if (['number', 'integer'].includes(typeOf(items))) return orNothing(takeAll(said.numbers))
  return orNothing(takeAll(said.quotes))
}

const orNothing = <T>(list: T[]): T[] | undefined => (list.length > 0 ? list : undefined)

function takeFirst<T>(things: { value: T; isTaken: boolean }[]): T | undefined {
  const thing = things.find(({ isTaken }) => !isTaken)
  if (thing) thing.isTaken = true
  return thing?.value
}

function takeAll<T>(things: { value: T; isTaken: boolean }[]): T[] {
  const free = things.filter(({ isTaken }) => !isTaken)
  for (const thing of free) thing.isTaken = true
  return free.map(({ value }) => value)
}

const NAMING = /\b(?:called|named|titled|title|name)\s+(?:is\s+)?["“']?([^\s"”',.:;?!]+)/i
const SAYING = /\b(?:saying|says|that reads|with the text|with text|text|content)\s*:?\s+(.+)$|:\s+(.+)$/is
const SEEKING = /\b(?:for|about|on)\s+(.+?)[?.!]*$/is
const PLACE = /\b(?:in|at|near|for|of)\s+(\p{Lu}[\p{L}'-]*(?:[ -]\p{Lu}[\p{L}'-]*)*)/u

function findText(property: Property, said: Said): string | undefined {
  const [key, { format = '', description = '' }] = property
  const { text } = said
  const is = (...kinds: string[]) => namesOf(property).some((name) => kinds.map(stem).includes(name))
  if (is('timezone') || (is('zone') && is('time')) || /time zone/i.test(description)) return timeZone(text)
  if (format === 'date' || is('date', 'day')) return date(said)
  if (format === 'uri' || is('url', 'uri', 'link')) return /https?:\/\/\S+?(?=[.,;!?)]*(?:\s|$))/.exec(text)?.[0]
  if (format === 'email' || is('email', 'mail')) return /\S+@\S+\.\w+/.exec(text)?.[0]
  if (is('path', 'file', 'folder', 'directory'))
    return /(?:^|\s)((?:\.{0,2}\/|~\/)\S*|\S+\.\w{1,5})(?=\s|$)/.exec(text)?.[1]
  const quoted = () => takeFirst(said.quotes)
  if (is('name', 'title')) return NAMING.exec(text)?.[1] ?? quoted() ?? afterToolWord(said)
  if (is('city', 'place', 'location', 'country', 'town', 'restaurant')) return quoted() ?? PLACE.exec(text)?.[1]
  if (is('text', 'content', 'message', 'body', 'note')) {
    const match = SAYING.exec(text)
    return quoted() ?? (match?.[1] ?? match?.[2])?.trim()
  }
  if (is('query', 'search', 'question', 'keyword', 'topic')) return quoted() ?? SEEKING.exec(text)?.[1]?.trim()
  return new RegExp(String.raw`\b${escapeForRegExp(key)}\s*[:=]\s*(\S+)`, 'i').exec(text)?.[1] ?? quoted()
}

/** "Delete the note travel": the word behind what the tool is about. */
function afterToolWord({ text, toolWords }: Said): string | undefined {
  const words = text.match(/[\p{L}\p{N}_-]+/gu) ?? []
  const at = words.findLastIndex((word) => toolWords.has(stem(word)))
  const next = at === -1 ? undefined : words[at + 1]
  return next !== undefined && tellingWords(next).length > 0 ? next : undefined
}

export function timeZone(text: string): string | undefined {
  const said = ` ${text.toLowerCase().replace(/[^\p{L}]+/gu, ' ')} `
  return Intl.supportedValuesOf('timeZone').find((zone) => {
    const city = zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')
    return said.includes(` ${city.toLowerCase()} `)
  })
}

function date({ text, today }: Said): string | undefined {
  const iso = /\b\d{4}-\d{2}-\d{2}\b/.exec(text)?.[0]
  if (iso) return iso
  const days = /\btomorrow\b/i.test(text)
    ? 1
    : /\byesterday\b/i.test(text)
      ? -1
      : /\btoday\b/i.test(text)
        ? 0
        : undefined
  return days === undefined ? undefined : new Date(today.getTime() + days * DAY_MS).toISOString().slice(0, 10)
}

/** For a text that must be there: what follows the tool's own words. */
function rest(key: string, { text, toolWords }: Said): string {
  const words = text.replace(/[?!.]+$/, '').split(/\s+/)
  const last = words.findLastIndex((word) => wordsOf(word).some((one) => toolWords.has(one)))
  return words.slice(last + 1).join(' ') || text || key
}

const escapeForRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
