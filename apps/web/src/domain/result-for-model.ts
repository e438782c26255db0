import { textForModel } from '#lib/visible-text.ts'
import { excerptOf } from './excerpt.ts'
import { handleOf, READ_RESULT, SEARCH_RESULT } from './result-handle.ts'
import type { ToolCall } from './tool-call.ts'

/**
 * Characters of one result that a model is given at once; of a longer one it has beginning, end and a handle to read on.
 * 24,000 are about 6,000 tokens of English: most pages, listings and source files whole, and one in twenty of the 128,000
 * tokens that a model remembers. What is longer is searched rather than read, and searching does not fill its memory.
 */
export const RESULT_BUDGET = 24_000

/** How a model is told of a call that gave no result. */
export const TOLD = {
  denied: 'The user did not allow this call.',
  cancelled: 'The user cancelled this call.',
  unknown: 'It is not known whether this call took effect',
  failed: 'The call failed.',
  notMade: 'The call was not made.',
  task: 'The tool works in the background.',
  taskEnded: '[A background task has ended. This is not from the user.',
} as const

export type Result = Pick<ToolCall, 'content' | 'structuredContent'>

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** One block of a result in words; undefined for one that is only to be seen or heard. */
function blockText(block: Record<string, unknown>): string | undefined {
  switch (block['type']) {
    case 'text':
      return text(block['text'])
    case 'resource_link':
      return `[link to ${text(block['name']) || 'a resource'}: ${text(block['uri'])}]`
    case 'resource': {
      const resource = (block['resource'] ?? {}) as Record<string, unknown>
      const inner = text(resource['text'])
      return inner || `[resource ${text(resource['uri'])}, ${text(resource['mimeType']) || 'of unknown type'}]`
    }
    default:
      return undefined
  }
}

const isSameJson = (json: string, value: unknown): boolean => {
  try {
    return JSON.stringify(JSON.parse(json)) === JSON.stringify(value)
  } catch {
    return false
  }
}

/** The words of a result as its server sent them. */
export function resultWords({ content, structuredContent }: Result): string {
  const words = (content ?? []).map(blockText).filter((one) => one !== undefined)
  // Servers repeat their structured content as text, for clients that know only that: the model reads it once.
  if (structuredContent !== undefined && !words.some((one) => isSameJson(one, structuredContent)))
    words.push(JSON.stringify(structuredContent))
  return words.join('\n\n')
}

const texts = new WeakMap<object, { structured: unknown; text: string }>()

/** The words of a result for a model, whole: nothing hidden is left. By their places in it a model reads on. */
export function resultText(result: Result): string {
  const { content, structuredContent: structured } = result
  const known = content && texts.get(content)
  if (known && known.structured === structured) return known.text
  const whole = textForModel(resultWords(result))
  // A request looks at each result several times; the content of a call that has ended does not change.
  if (content) texts.set(content, { structured, text: whole })
  return whole
}

/**
 * What a model is given of a result, in at most so many characters and a note about the rest, and how much there was.
 * Where it cannot read on by a handle, it is told to call again.
 */
export function resultForModel(
  call: Result & Pick<ToolCall, 'id'>,
  most: number = RESULT_BUDGET,
  canReadOn = true,
): { text: string; given: number; total: number } {
  const whole = resultText(call)
  const total = whole.length
  if (total <= most) return { text: whole, given: total, total }
  const way = canReadOn
    ? `${SEARCH_RESULT} finds words in it and ${READ_RESULT} reads any part of it, by its handle "${handleOf(call.id)}".`
    : 'Call the tool again to see it.'
  if (most <= 0)
    return {
      text: `[This result of ${total} characters is left out, to make room for newer ones. ${way}]`,
      given: 0,
      total,
    }
  const { head, tail, from, to } = excerptOf(whole, most)
  const note = `[This result has ${total} characters; those from ${from} to ${to} are left out here. ${way}]`
  return { text: `${head}\n\n${note}\n\n${tail}`, given: head.length + tail.length, total }
}
