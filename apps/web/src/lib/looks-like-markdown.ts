const MOST_READ = 20_000
const FENCE = /^ {0,3}(?:```|~~~)[^`\n]*\n[^]*?^ {0,3}(?:```|~~~)\s*$/m
const TABLE = /^ {0,3}\|?[^|\n]*\|.*\n {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*$/m
/** Each is common in prose with marks. One alone may be a comment, a pattern or a name. */
const MARKS = [
  /^ {0,3}#{1,6} \S/gm,
  /\[[^\]\n]+\]\((?:https?:|mailto:|#|\/)[^)\s]*\)/g,
  /(?<![\w*])\*\*(?=\S)[^*\n]+(?<=\S)\*\*(?![\w*/])/g,
  /(?<![\w`])`[^`\n]+`(?![\w`])/g,
  /^ {0,3}> \S/gm,
]
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,3}[.)]) \S/gm
/** Listings, logs, stack traces, source code, aligned columns. */
const PLAIN_LINE =
  /^(?:\t| {4,}\S)|^\s+at \S|^\s*File "|^[d-][r-][w-][xsS-]|^\[(?:DIR|FILE|INFO|WARN|ERROR|DEBUG)\]|^\[?\d{4}-\d\d-\d\d[T ]\d\d:|^\S.* {3,}\S|[;{}]$/

/**
 * Whether a tool wrote Markdown. In doubt it did not: Markdown shown as text is readable, while text drawn as Markdown loses
 * its line breaks and columns.
 */
export function looksLikeMarkdown(text: string): boolean {
  const sample = text.slice(0, MOST_READ)
  if (FENCE.test(sample) || TABLE.test(sample)) return true
  const lines = sample.split('\n').filter((line) => line.trim() !== '')
  const plain = lines.filter((line) => PLAIN_LINE.test(line)).length
  if (plain * 5 > lines.length) return false
  const marks = MARKS.reduce((sum, mark) => sum + Math.min(3, sample.match(mark)?.length ?? 0), 0)
  // A configuration file, where # begins a comment.
  if (lines.filter((line) => /^\s*[\w.-]+\s*[:=](?:\s|$)/.test(line)).length * 3 > lines.length) return false
  // One line has no line breaks to lose.
  if (lines.length === 1) return marks > 0
  const items = sample.match(LIST_ITEM)?.length ?? 0
  // Marks and a list, or marks of several kinds, in a text of few lines; more are needed in a long one.
  return marks + (items >= 2 ? 1 : 0) >= (lines.length > 40 ? 3 : 2)
}
