import { mentioned, namesOf, timeZone } from './fill-arguments.ts'
import { type JsonSchema, propertiesOf, type ToolOnOffer, typeOf } from './tool-on-offer.ts'
import { kinship, stem, tellingWords, wordsOf } from './words.ts'

/** What was asked for and a tool cannot do, as sentences. */
export interface Unmet {
  /** The arguments that would not be what was asked for. */
  keys: string[]
  sentences: string[]
}

const MOST_LISTED = 12

/** Compares what was said with what a tool accepts. Nobody gets Lisbon who asked for Paris. */
export function unmetWishes(text: string, { name, inputSchema }: ToolOnOffer): Unmet {
  const keys: string[] = []
  const sentences: string[] = []
  for (const property of propertiesOf(inputSchema)) {
    const sentence = unmet(property, text, name)
    if (sentence === undefined) continue
    keys.push(property[0])
    sentences.push(sentence)
  }
  return { keys, sentences }
}

type Property = [key: string, schema: JsonSchema]

function unmet(property: Property, text: string, tool: string): string | undefined {
  const [, schema] = property
  if (Array.isArray(schema.enum)) return unknownValue(property, schema.enum, text, tool)
  if (/^(number|integer)$/.test(typeOf(schema))) return outOfRange(property, text, tool)
  if (isTimeZone(property)) return unknownZone(text)
  return undefined
}

function unknownValue(property: Property, values: readonly unknown[], text: string, tool: string): string | undefined {
  const known = values.map((value) => wordsOf(String(value)).join(' '))
  const said = isPlace(property) ? placesIn(text) : valuesNamed(property, text)
  const unknown = said.filter((place) => !known.includes(wordsOf(place).join(' ')))
  // "Next 3 days in sunny Lisbon" names a value, whatever stands before it.
  if (unknown.length === 0 || (said.length === unknown.length && mentioned(values, text).length > 0)) return undefined
  const listed = values.slice(0, MOST_LISTED).map(String).join(', ')
  const more = values.length > MOST_LISTED ? ` and ${values.length - MOST_LISTED} more` : ''
  return `\`${tool}\` does not have ${unknown.map((one) => `“${one}”`).join(' and ')}. It has: ${listed}${more}.`
}

function outOfRange(property: Property, text: string, tool: string): string | undefined {
  const { minimum = -Infinity, maximum = Infinity } = property[1]
  const names = namesOf(property)
  const isNamed = (word: string | undefined) => word !== undefined && names.some((name) => kinship(name, word) === 1)
  for (const match of text.matchAll(/(?<![\w.])-?\d+(?:\.\d+)?(?![\w]|\.\d)/g)) {
    const value = Number(match[0])
    if (value >= minimum && value <= maximum) continue
    const before = wordsOf(text.slice(0, match.index)).at(-1)
    const after = wordsOf(text.slice(match.index + match[0].length)).at(0)
    if (isNamed(after) || isNamed(before))
      return `\`${tool}\` takes ${property[0]} ${rangeInWords(minimum, maximum)}, and you said ${match[0]}.`
  }
  return undefined
}

const rangeInWords = (minimum: number, maximum: number): string =>
  maximum === Infinity
    ? `from ${minimum}`
    : minimum === -Infinity
      ? `up to ${maximum}`
      : `from ${minimum} to ${maximum}`

const isTimeZone = (property: Property): boolean => {
  const names = namesOf(property)
  return names.includes(stem('timezone')) || (names.includes(stem('zone')) && names.includes(stem('time')))
}

function unknownZone(text: string): string | undefined {
  const [place] = placesIn(text)
  if (place === undefined || timeZone(text) !== undefined) return undefined
  return `I know no time zone called “${place}”. Name a city such as Tokyo or New York.`
}

const PLACES = ['city', 'place', 'location', 'country', 'town'].map(stem)
const isPlace = (property: Property): boolean => namesOf(property).some((name) => PLACES.includes(name))

const NAME = String.raw`\p{Lu}[\p{L}'-]*(?:[ -]\p{Lu}[\p{L}'-]*)*`
const CAPITALIZED = new RegExp(
  String.raw`\b(?:in|at|near|for|of)\s+(${NAME}(?:\s*(?:,|,?\s(?:and|or)\s)\s*${NAME})*)`,
  'gu',
)
const LOWER_CASE = /\b(?:in|near)\s+(\p{Ll}[\p{L}'-]{2,})/gu
/** What "in" is said of beside places. */
const NO_PLACE = new Set(
  'morning afternoon evening night day hour minute second week weekend month year spring summer autumn fall winter celsius fahrenheit degree general particular total short brief detail advance fact turn order monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december english'
    .split(' ')
    .map(stem),
)

function placesIn(text: string): string[] {
  const capitalized = [...text.matchAll(CAPITALIZED)].flatMap(([, names = '']) =>
    names.split(/\s*,\s*|\s+(?:and|or)\s+/),
  )
  const lower = capitalized.length > 0 ? [] : [...text.matchAll(LOWER_CASE)].map(([, name = '']) => name)
  const isName = (name: string) => tellingWords(name).some((word) => !NO_PLACE.has(word))
  return [...new Set([...capitalized, ...lower].filter((name) => name !== '' && isName(name)))]
}

/** "priority: urgent", "color=red". */
function valuesNamed([key]: Property, text: string): string[] {
  const escaped = key.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return [...text.matchAll(new RegExp(String.raw`\b${escaped}\s*[:=]\s*["“']?([\p{L}\p{N}_-]+)`, 'giu'))].map(
    ([, value = '']) => value,
  )
}
