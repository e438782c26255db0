import { beginAfter, betweenCharacters, endBefore } from './cut-text.ts'

export interface Match {
  /** Where in the text it begins. */
  at: number
  /** The words that match, with what stands around them. */
  text: string
}

export interface Found {
  /** How often it stands in the text, from the place on where the search began. */
  total: number
  /** The first of them. One that stands in the surroundings of the one before is not listed again. */
  matches: Match[]
  /** Where to search on for those that are not listed. */
  next?: number
}

const AROUND = 160
/** Words that belong together stand so near to each other. */
const NEAR = 300

/** Small letters, each in its place. */
export const foldCase = (text: string): string =>
  // The one letter whose small form is longer than itself.
  text.replaceAll('İ', 'I').toLowerCase()

/**
 * Finds a text in another, large and small letters alike: as it stands there or, where it does not, its words near each
 * other. It takes as long as the text is long, whatever is looked for: nothing in the words has a meaning of its own.
 */
export function findInText(text: string, wanted: string, { from, most }: { from: number; most: number }): Found {
  const folded = foldCase(text)
  const phrase = foldCase(wanted.trim())
  const asItStands = collect(text, places(folded, [phrase], from), most)
  const words = wordsIn(wanted)
  return asItStands.total > 0 || words.length < 2 ? asItStands : collect(text, places(folded, words, from), most)
}

const MOST_WORDS = 10

export const wordsIn = (wanted: string): string[] =>
  [...new Set(foldCase(wanted).split(/\s+/).filter(Boolean))].slice(0, MOST_WORDS)

/** How often a word stands in a text. */
export function countIn(text: string, word: string): number {
  let count = 0
  for (const _ of places(foldCase(text), [word], 0)) count += 1
  return count
}

/** Where all of these stand near each other, from left to right. Each is looked for once in every part of the text. */
function* places(text: string, words: readonly string[], from: number): Generator<{ at: number; end: number }, void> {
  const next = words.map((word) => text.indexOf(word, from))
  const endOf = (at: number, index: number) => at + (words[index]?.length ?? 0)
  while (!next.includes(-1)) {
    const at = Math.min(...next)
    const end = Math.max(...next.map(endOf))
    const isNear = words.length === 1 || end - at <= NEAR
    if (isNear) yield { at, end }
    for (const [index, word] of words.entries()) {
      const place = next[index] ?? -1
      if (isNear) next[index] = text.indexOf(word, end)
      else if (place === at) next[index] = text.indexOf(word, place + 1)
    }
  }
}

function collect(text: string, all: Iterable<{ at: number; end: number }>, most: number): Found {
  const matches: Match[] = []
  let shownTo = 0
  let next: number | undefined
  let total = 0
  for (const { at, end } of all) {
    total += 1
    if (next !== undefined || (matches.length > 0 && end <= shownTo)) continue
    if (matches.length === most) {
      next = at
      continue
    }
    const first = Math.max(0, betweenCharacters(text, at - AROUND))
    const begin = first === 0 ? 0 : beginAfter(text, first, Math.min(40, at - first))
    shownTo = end + AROUND >= text.length ? text.length : endBefore(text, end + AROUND, Math.min(40, AROUND))
    matches.push({ at, text: text.slice(begin, shownTo) })
  }
  return { total, matches, ...(next !== undefined && { next }) }
}
