import { beginAfter, endBefore } from '#lib/cut-text.ts'

/** Of an excerpt, so much is its beginning: there stand headings and names of columns; at the end, sums and errors. */
const HEAD = 0.75
/** So much of its room an excerpt may leave empty at each cut, to be cut where it harms least. */
const SLACK = 0.05

export interface Excerpt {
  head: string
  tail: string
  /** What is between them: `text.slice(from, to)`. */
  from: number
  to: number
}

/** The beginning and the end of a text that is longer than `most`; together they are no longer than that. */
export function excerptOf(text: string, most: number): Excerpt {
  const headRoom = Math.ceil(most * HEAD)
  const tailRoom = most - headRoom
  const slack = Math.floor(most * SLACK)
  const from = endBefore(text, headRoom, slack)
  const to = beginAfter(text, text.length - tailRoom, slack)
  return { head: text.slice(0, from), tail: text.slice(to), from, to }
}
