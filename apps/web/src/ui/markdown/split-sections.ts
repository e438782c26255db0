/** A stretch of a Markdown text that is parsed, laid out and drawn for itself. */
export interface Section {
  start: number
  source: string
  /** The line that opened the code block in which the section begins. */
  fence: string
}

export interface Split {
  text: string
  /** All but the last are finished: more text at the end doesn't change them. */
  sections: readonly Section[]
}

export const nothingSplit: Split = { text: '', sections: [] }

/** A section ends at the next place between two blocks after this many characters … */
const MIN_SECTION = 8_000
/** … at the next line after this many … */
const MAX_SECTION = 32_000
/** … and within a line where that is longer. */
const LONGEST = 2 * MAX_SECTION

const OPENS_FENCE = /^[ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]*)*(`{3,}(?=[^`]*$)|~{3,})/
const CLOSES_FENCE = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/
/** A line that can't continue a list, a quote, a table or indented code. */
const BEGINS_BLOCK = /^[^\s>\-*+\d|]/
/** Longer lines are not looked at to their end: an info string is short. */
const MAX_LINE = 500

/**
 * Divides a text into sections. The sections of a text that only grew since `previous` are the same objects, and a text that
 * streamed in is divided like one that came at once: only whole lines decide.
 */
export function splitSections(previous: Split, text: string): Split {
  if (text === previous.text) return previous
  const finished = text.startsWith(previous.text) ? previous.sections.slice(0, -1) : []
  const sections = [...finished]
  let { start, fence } = finished.length > 0 ? previous.sections[finished.length]! : { start: 0, fence: '' }
  for (let next = endOf(text, start, fence); next; next = endOf(text, start, fence)) {
    sections.push({ start, source: text.slice(start, next.end), fence })
    start = next.end
    fence = next.fence
  }
  sections.push({ start, source: text.slice(start), fence })
  return { text, sections }
}

/** Where a section ends, and the line of the code block that is open there; undefined while more text may belong to it. */
function endOf(text: string, start: number, openFence: string): { end: number; fence: string } | undefined {
  let fence = openFence
  let isAfterBlank = false
  const end = Math.min(text.length, start + LONGEST)
  for (let at = start; at < end; ) {
    const newline = text.slice(at, end).indexOf('\n')
    if (newline < 0) return end - start < LONGEST ? undefined : { end: withoutHalf(text, start + MAX_SECTION), fence }
    const size = at - start
    const line = text.slice(at, at + Math.min(newline, MAX_LINE))
    if (size >= MAX_SECTION || (size >= MIN_SECTION && isAfterBlank && fence === '' && BEGINS_BLOCK.test(line)))
      return { end: at, fence }
    fence = fenceAfter(fence, line)
    isAfterBlank = line.trim() === ''
    at += newline + 1
  }
  return undefined
}

function fenceAfter(fence: string, line: string): string {
  if (fence === '') return OPENS_FENCE.test(line) ? line : ''
  const open = OPENS_FENCE.exec(fence)?.[1] ?? ''
  const close = CLOSES_FENCE.exec(line)?.[1] ?? ''
  return close.startsWith(open) ? '' : fence
}

/** The place, or the one before it if it would cut a character in two. */
const withoutHalf = (text: string, at: number): number => ((text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at)
