/** Longer words are cut: what follows is rarely looked for, and encoded data would fill the index. */
const MAX_WORD = 40
const MAX_WORDS = 2_000
const MAX_TEXT = 200_000

const WORD = /[\p{L}\p{M}\p{N}]+/gu
/** Scripts that don't put spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]+/gu

/** Text that isn't separated by spaces, as pairs of characters that overlap, and its last character. */
function pairsOf(run: string): string[] {
  const characters = Array.from(run)
  return characters.map((character, at) => character + (characters[at + 1] ?? ''))
}

/** The different words of a text in lower case, as they are indexed for search. */
export function searchWords(text: string): string[] {
  const words = new Set<string>()
  for (const [run] of text.slice(0, MAX_TEXT).normalize('NFKC').toLowerCase().matchAll(WORD)) {
    if (words.size >= MAX_WORDS) break
    for (const unspaced of run.match(UNSPACED) ?? []) for (const pair of pairsOf(unspaced)) words.add(pair)
    for (const word of run.split(UNSPACED)) if (word !== '') words.add(word.slice(0, MAX_WORD))
  }
  return [...words]
}

/** The beginnings of words that someone looks for. */
export function searchedWords(query: string): string[] {
  const words = searchWords(query.slice(0, 500)).slice(0, 20)
  // The last character of an unspaced text is also the beginning of a pair, unless it is a pair's end.
  return words.filter((word) => !words.some((other) => other !== word && other.startsWith(word)))
}

/** Whether a text with these words has, for each searched word, one that begins with it. */
export const hasSearchedWords = (words: readonly string[], searched: readonly string[]): boolean =>
  searched.every((beginning) => words.some((word) => word.startsWith(beginning)))
