/** Where a text is cut with the least harm, best first: between paragraphs, lines, sentences, entries, words. */
const JOINTS = ['\n\n', '\n', '. ', '},', ', ', ' ', ','] as const

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

/** This place, or the one before it where it is inside of a character: half a character is none. */
export const betweenCharacters = (text: string, at: number): number =>
  at > 0 && at < text.length && isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at)) ? at - 1 : at

/** The best place to end at or before this one, at most `slack` characters before it. */
export function endBefore(text: string, at: number, slack: number): number {
  const first = Math.max(0, at - slack)
  const near = text.slice(first, at)
  for (const joint of JOINTS) {
    const found = near.lastIndexOf(joint)
    if (found !== -1) return first + found + joint.length
  }
  return betweenCharacters(text, at)
}

/** The best place to begin at or after this one, at most `slack` characters after it. */
export function beginAfter(text: string, at: number, slack: number): number {
  const near = text.slice(at, at + slack)
  for (const joint of JOINTS) {
    const found = near.indexOf(joint)
    if (found !== -1) return at + found + joint.length
  }
  return betweenCharacters(text, at) === at ? at : at + 1
}
