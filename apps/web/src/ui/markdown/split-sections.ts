/** A stretch of a Markdown text that is parsed, laid out and drawn for itself. */
export interface Section {
  start: number
  source: string
  /** The line that opened the code block in which the section begins, and where that line is in the text. */
  fence: string
  fenceStart: number
  /** The header and delimiter lines of the table in which the section begins. */
  tableHead: string
}

/** The section with the line or lines before it without which its beginning would be something else. */
export const withLead = ({ source, fence, tableHead }: Section): string =>
  fence !== '' ? `${fence}\n${source}` : `${tableHead}${source}`

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
const DELIMITER_ROW = /^[ \t>]*(?=.*\|)[|:\- \t]*-[|:\- \t]*\r?$/
/** A line at which a table ends without a blank line. */
const ENDS_TABLE = /^[ \t]*(?:$|#{1,6}(?:\s|$)|`{3}|~{3}|<|[-*+][ \t]|\d{1,9}[.)][ \t])/
/** The header and delimiter of a longer table are not repeated. */
const MAX_TABLE_HEAD = 4_000

/** What is open at a place in the text. */
type Open = Pick<Section, 'fence' | 'fenceStart' | 'tableHead'>

const nothingOpen: Open = { fence: '', fenceStart: 0, tableHead: '' }

/**
 * Divides a text into sections. The sections of a text that only grew since `previous` are the same objects, and a text that
 * streamed in is divided like one that came at once: only whole lines decide.
 */
export function splitSections(previous: Split, text: string): Split {
  if (text === previous.text) return previous
  const finished = text.startsWith(previous.text) ? previous.sections.slice(0, -1) : []
  const sections = [...finished]
  let { start, ...open } = toResume(previous, finished.length)
  for (let next = endOf(text, start, open); next; next = endOf(text, start, open)) {
    sections.push({ start, source: text.slice(start, next.end), ...open })
    start = next.end
    open = next.open
  }
  sections.push({ start, source: text.slice(start), ...open })
  return { text, sections }
}

function toResume({ sections }: Split, finished: number): Open & { start: number } {
  if (finished === 0) return { start: 0, ...nothingOpen }
  const { start, fence, fenceStart, tableHead } = sections[finished]!
  return { start, fence, fenceStart, tableHead }
}

/** Where a section ends, and what is open there; undefined while more text may belong to it. */
function endOf(text: string, start: number, openBefore: Open): { end: number; open: Open } | undefined {
  let open = openBefore
  let isAfterBlank = false
  let lineBefore = ''
  const end = Math.min(text.length, start + LONGEST)
  for (let at = start; at < end; ) {
    const newline = text.slice(at, end).indexOf('\n')
    if (newline < 0) return end - start < LONGEST ? undefined : { end: withoutHalf(text, start + MAX_SECTION), open }
    const size = at - start
    const line = text.slice(at, at + Math.min(newline, MAX_LINE))
    if (size >= MAX_SECTION || (size >= MIN_SECTION && isAfterBlank && open.fence === '' && BEGINS_BLOCK.test(line)))
      return { end: at, open }
    const wholeLine = newline <= MAX_LINE ? line : text.slice(at, at + Math.min(newline, MAX_TABLE_HEAD))
    open = openAfter(open, { at, line, wholeLine, lineBefore })
    isAfterBlank = line.trim() === ''
    lineBefore = wholeLine
    at += newline + 1
  }
  return undefined
}

function openAfter(
  { fence: fenceBefore, fenceStart, tableHead }: Open,
  { at, line, wholeLine, lineBefore }: { at: number; line: string; wholeLine: string; lineBefore: string },
): Open {
  const fence = fenceAfter(fenceBefore, line)
  if (fence !== '') return { fence, fenceStart: fenceBefore === '' ? at : fenceStart, tableHead: '' }
  if (fenceBefore !== '' || ENDS_TABLE.test(line)) return nothingOpen
  if (tableHead === '' && isTableHead(lineBefore, wholeLine))
    return { ...nothingOpen, tableHead: `${lineBefore}\n${wholeLine}\n` }
  return { ...nothingOpen, tableHead }
}

function isTableHead(header: string, delimiter: string): boolean {
  if (header.length + delimiter.length > MAX_TABLE_HEAD || !DELIMITER_ROW.test(delimiter)) return false
  return header.trim() !== '' && cellsIn(header) === cellsIn(delimiter)
}

const cellsIn = (row: string): number =>
  row
    .replace(/^[ \t>]*\|?|(?<!\\)\|?\s*$/g, '')
    .replaceAll('\\|', '')
    .split('|').length

function fenceAfter(fence: string, line: string): string {
  if (fence === '') return OPENS_FENCE.test(line) ? line : ''
  const open = OPENS_FENCE.exec(fence)?.[1] ?? ''
  const close = CLOSES_FENCE.exec(line)?.[1] ?? ''
  return close.startsWith(open) ? '' : fence
}

/** The place, or the one before it if it would cut a character in two. */
const withoutHalf = (text: string, at: number): number => ((text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at)

/** The code of a whole fenced block, which may lie in several sections, without its fences. */
export function fencedCode(text: string, fenceStart: number): string {
  const lines = linesFrom(text, fenceStart)
  const fence = lines.next().value ?? ''
  const prefix = fence.slice(0, fence.search(/[`~]/))
  const code: string[] = []
  for (const line of lines) {
    if (fenceAfter(fence.slice(0, MAX_LINE), line.slice(0, MAX_LINE)) === '') break
    code.push(withoutPrefix(line, prefix))
  }
  // An unclosed block ends with the text: the last line break isn't part of the code.
  return code.join('\n')
}

function* linesFrom(text: string, start: number): Generator<string, undefined> {
  for (let at = start; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    yield text.slice(at, end)
    at = end + 1
  }
}

/** A line of code without the indentation and quote marks that it shares with the line of its fence. */
function withoutPrefix(line: string, prefix: string): string {
  let at = 0
  for (const mark of prefix) {
    if (mark === '>' ? line[at] === '>' : line[at] === ' ' || line[at] === '\t') at += 1
    else if (mark === '>') break
  }
  return line.slice(at)
}
