import { createScanner, type SyntaxKind } from 'jsonc-parser'

// The library declares these as a const enum, which can't be imported by modules that are compiled one by one.
const CLOSE_BRACE = 2 as SyntaxKind
const CLOSE_BRACKET = 4 as SyntaxKind
const END = 17 as SyntaxKind

/** Reads JSON with comments and trailing commas. Returns undefined if the text isn't valid. */
export function readJsonc(text: string): unknown {
  try {
    return JSON.parse(plainJson(text))
  } catch {
    return undefined
  }
}

/** The same text without comments and trailing commas. JSON.parse then keeps `__proto__` as a plain key. */
function plainJson(text: string): string {
  const scanner = createScanner(text, true)
  const tokens: string[] = []
  for (let kind = scanner.scan(); kind !== END; kind = scanner.scan()) {
    if ((kind === CLOSE_BRACE || kind === CLOSE_BRACKET) && tokens.at(-1) === ',') tokens.pop()
    const from = scanner.getTokenOffset()
    tokens.push(text.slice(from, from + scanner.getTokenLength()))
  }
  return tokens.join(' ')
}
