import { excerptOf } from '#domain/excerpt.ts'
import { RESULT_BUDGET, resultWords } from '#domain/result-for-model.ts'
import { RESULTS_BUDGET } from '#domain/share-room.ts'
import { tokensOf } from '#domain/tool-budget.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { fileSize } from '#lib/file-size.ts'
import { bytesOf } from '#lib/in-words.ts'

/** What a model was given of a result when it was new. */
export interface ModelShare {
  isCut: boolean
  /** Bytes of its words. */
  given: number
  total: number
  tokens: number
  /** Of the room that all results of a request have together. */
  percent: number
}

/** Undefined where there are no words for a model. Hidden characters count as they came: this is for people, and quick. */
export function modelShare(call: ToolCall): ModelShare | undefined {
  if (call.status !== 'success' && call.status !== 'error') return undefined
  const words = resultWords(call)
  if (words === '') return undefined
  const isCut = words.length > RESULT_BUDGET
  const { head, tail } = isCut ? excerptOf(words, RESULT_BUDGET) : { head: words, tail: '' }
  const characters = head.length + tail.length
  return {
    isCut,
    given: bytesOf(head) + bytesOf(tail),
    total: bytesOf(words),
    tokens: tokensOf(characters),
    percent: (characters / RESULTS_BUDGET) * 100,
  }
}

/** What a line of the chat says of it: nothing, where the model was given all. Only what is long is looked at for that. */
export function shareOnLine(call: ToolCall): string | undefined {
  const share = (call.size ?? 0) > RESULT_BUDGET ? modelShare(call) : undefined
  return share?.isCut ? `the model got ${fileSize(share.given)}` : undefined
}

export function shareInWords({ isCut, given, total, tokens, percent }: ModelShare): string {
  const what = isCut
    ? `the first and last part, ${fileSize(given)} of ${fileSize(total)}; it can look up the rest.`
    : `all of it, ${fileSize(total)}.`
  const about = tokens < 100 ? tokens : Math.round(tokens / 100) * 100
  const room = `That is about ${about.toLocaleString('en')} tokens, ${percent < 1 ? 'less than 1' : Math.round(percent)}% of the room for results`
  // What is small is the last to go: a warning there would be noise on every card.
  const later = percent < 1 ? '.' : '; when newer ones need it, this one keeps less.'
  return `The model was given ${what} ${room}${later}`
}
