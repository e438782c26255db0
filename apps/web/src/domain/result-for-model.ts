import { textForModel } from '#lib/visible-text.ts'
import type { ToolCall } from './tool-call.ts'

/** Characters of one result that a model is given; more would push the conversation itself out of its memory. */
export const RESULT_BUDGET = 100_000

/** How a model is told of a call that gave no result. */
export const TOLD = {
  denied: 'The user did not allow this call.',
  cancelled: 'The user cancelled this call.',
  unknown: 'It is not known whether this call took effect',
  failed: 'The call failed.',
  notMade: 'The call was not made.',
} as const

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

/** The words of a result for a model: hidden characters removed, cut to the budget, with how much there was. */
export function resultForModel(call: Pick<ToolCall, 'content' | 'structuredContent'>): {
  text: string
  given: number
  total: number
} {
  const words = (call.content ?? []).map(blockText).filter((one) => one !== undefined)
  const { structuredContent } = call
  // Servers repeat their structured content as text, for clients that know only that: the model reads it once.
  if (structuredContent !== undefined && !words.some((one) => isSameJson(one, structuredContent)))
    words.push(JSON.stringify(structuredContent))
  const whole = textForModel(words.join('\n\n'))
  if (whole.length <= RESULT_BUDGET) return { text: whole, given: whole.length, total: whole.length }
  const note = `\n\n[The result was cut here: the first ${RESULT_BUDGET} of ${whole.length} characters were given.]`
  return { text: whole.slice(0, RESULT_BUDGET) + note, given: RESULT_BUDGET, total: whole.length }
}
