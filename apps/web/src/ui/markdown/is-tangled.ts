const MAX_CHARACTERS = 100_000
const MAX_MARKS = 1_500
const NESTED = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){20}/
const FENCE = /^[ \t]*(?:```|~~~)/

/**
 * Whether a text is written to keep a Markdown parser busy: twenty lists inside each other, thousands of asterisks in one
 * paragraph. Parsed, twenty kilobytes of it can stop the page for a minute; it is shown as it stands instead.
 */
export function isTangled(text: string): boolean {
  if (text.length > MAX_CHARACTERS) return true
  let marks = 0
  let isFenced = false
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) isFenced = !isFenced
    if (isFenced || line.trim() === '') marks = 0
    else if (NESTED.test(line) || (marks += countMarks(line)) > MAX_MARKS) return true
  }
  return false
}

function countMarks(line: string): number {
  let count = 0
  for (const character of line) if ('*_~[`<'.includes(character)) count += 1
  return count
}
