import { hidesText } from '#lib/visible-text.ts'
import { isObject } from './judge-schema.ts'

const LONG = 1024
const ORDERS =
  /<\s*\/?\s*(important|system|instructions?|secret)\b|\b(ignore|disregard|forget|override)\b[^.\n]{0,40}\b(previous|prior|above|earlier|other|all|instructions?|rules)\b|\b(you|assistant|model|ai)\b[^.\n]{0,30}\b(must|should always|have to|are required to)\b|\b(before|after|instead of|whenever)\b[^.\n]{0,60}\b(call|use|using|calling|run|running|invoke|invoking)\b|\bsystem prompt\b|\balways (call|use|run|invoke|include|send)\b/i
const SECRETS =
  /\b(do not|don't|never|without)\b[^.\n]{0,40}\b(tell|telling|mention|mentioning|inform|informing|show|showing|reveal|revealing|ask|asking|notify|notifying)\b|\b(secretly|covertly|hidden from the user)\b|~\/\.|\.ssh\b|id_rsa|\.env\b|\bapi[_ -]?keys?\b|\bpasswords?\b|\bcredentials?\b|\bprivate keys?\b|\baccess tokens?\b|\bconversation history\b/i
/**
 * What a program does silently without hiding anything: "succeeds silently", "silently ignored". Verbs that can move data
 * ("silently pass", "create", "replace") are missing on purpose.
 */
const HARMLESS = String.raw`(?:succeed|fail|ignor|skip|truncat|discard)\w*|do(?:es)?\s+nothing|no-ops?`
/** A statement about the program's own files, not an order: "is overwritten silently". */
const HAPPENS = String.raw`(?:is|are|be)\s+(?:overwritten|replaced|dropped)`
const SILENTLY = new RegExp(
  String.raw`(?<!\b(?:${HAPPENS}|(?:${HARMLESS}),?(?:\s+\w+)?)\s+)\bsilently\b(?!\s+(?:be\s+)?(?:${HARMLESS})\b)`,
  'i',
)

/** Signs of a definition that tries to steer a model, for a person to look at. A definition without any is not safe by that. */
export function warningsOf(tool: Record<string, unknown>): string[] {
  const words = wordsIn(tool)
  const says = (sign: RegExp) => words.some((word) => sign.test(word))
  return [
    ...(words.some(hidesText) ? ['It holds hidden characters.'] : []),
    ...(words.some(({ length }) => length > LONG) ? [`It holds a text of over ${LONG} characters.`] : []),
    ...(says(ORDERS) ? ['It gives orders to the model.'] : []),
    ...(says(SECRETS) || says(SILENTLY) ? ['It speaks of secrets, or of keeping something from you.'] : []),
    ...(says(/\bhttps?:\/\//i) ? ['It holds an address.'] : []),
  ]
}

/** The language that a schema is written in. Nearly all of them say it: a warning at every tool is read at none. */
const isDialect = (key: string, value: unknown): boolean =>
  key === '$schema' &&
  typeof value === 'string' &&
  /^https?:\/\/json-schema\.org\/(draft-0\d|draft\/20\d\d-\d\d)\/schema#?$/.test(value)

/** Everything a model would read of a definition, names of arguments too. */
function wordsIn({
  name,
  title,
  description,
  annotations,
  inputSchema,
  outputSchema,
}: Record<string, unknown>): string[] {
  const found: string[] = []
  const waiting: unknown[] = [name, title, description, annotations, inputSchema, outputSchema]
  for (const value of waiting) {
    if (typeof value === 'string') found.push(value)
    else if (Array.isArray(value)) for (const part of value as unknown[]) waiting.push(part)
    else if (isObject(value))
      for (const [key, part] of Object.entries(value)) if (!isDialect(key, part)) waiting.push(key, part)
  }
  return found
}
