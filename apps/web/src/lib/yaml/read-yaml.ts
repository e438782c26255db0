import { readFlow } from './read-flow.ts'
import { readQuoted } from './read-quoted.ts'
import { readPlain } from './read-plain.ts'
import { YamlFault } from './yaml-fault.ts'

/** Deeper than any document that a person writes. */
const MAX_DEPTH = 100
const MAX_NODES = 1_000_000
/** Of one text, or of one pair of brackets, over several lines. */
const MAX_TEXT = 1_000_000

interface Line {
  indent: number
  /** Without its indentation. */
  text: string
  raw: string
}

/**
 * A document in YAML as plain values: mappings, lists, texts in all their forms, anchors and their aliases, the first document of
 * several. What configuration files do not use (keys that are no text, tags of one's own) is a `YamlFault` with its line.
 */
export function readYaml(source: string): unknown {
  const lines = source
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((raw): Line => {
      const text = raw.replace(/^ +/, '')
      return { indent: raw.length - text.length, text: text.trimEnd(), raw }
    })
  const anchors = new Map<string, unknown>()
  let at = 0
  let nodes = 0
  let depth = 0

  const fault = (words: string): YamlFault => new YamlFault(at + 1, words)
  const isBlank = ({ text }: Line): boolean => text === '' || text.startsWith('#')
  /** The next line that says something; none at the end of the document. */
  function peek(): Line | undefined {
    for (let line = lines[at]; line; line = lines[++at]) {
      if (line.indent === 0 && /^(---|\.\.\.)(\s|$)/.test(line.text)) return undefined
      if (line.text.startsWith('\t') && !isBlank({ ...line, text: line.text.trim() }))
        throw fault('is indented with a tab, where YAML wants spaces')
      if (!isBlank(line)) return line
    }
    return undefined
  }

  function count(): void {
    nodes += 1
    if (nodes > MAX_NODES) throw fault(`is the one after ${MAX_NODES} values, which are enough`)
  }

  /** What stands deeper than `parent`; null where nothing does. */
  function block(parent: number): unknown {
    const line = peek()
    if (!line || line.indent <= parent) return null
    count()
    depth += 1
    if (depth > MAX_DEPTH) throw fault(`is nested deeper than ${MAX_DEPTH} levels`)
    const { name, text } = withoutProperties(line.text)
    if (text !== '' && text !== line.text) lines[at] = { ...line, text }
    const begin = lines[at] ?? line
    const value = isItem(begin) ? sequence(line.indent) : isKeyed(begin) ? mapping(line.indent) : scalar(parent)
    if (name !== undefined) anchors.set(name, value)
    depth -= 1
    return value
  }

  const isKeyed = ({ text }: Line): boolean => text.startsWith('? ') || keyOf(text) !== undefined
  const isItem = ({ text }: Line): boolean => text === '-' || text.startsWith('- ')

  function sequence(indent: number): unknown[] {
    const items: unknown[] = []
    for (let line = peek(); line?.indent === indent && isItem(line); line = peek()) {
      const rest = line.text.slice(1).replace(/^ +/, '')
      if (rest === '' || rest.startsWith('#')) {
        at += 1
        items.push(block(indent))
        continue
      }
      // What stands behind the dash begins a block of its own, as deep as it stands.
      lines[at] = { ...line, indent: indent + line.text.length - rest.length, text: rest }
      items.push(block(indent))
    }
    return items
  }

  function mapping(indent: number): Record<string, unknown> {
    const members = new Map<string, unknown>()
    let merged: [string, unknown][] = []
    for (let line = peek(); line?.indent === indent; line = peek()) {
      const found = keyOf(line.text)
      const { key, rest } = found ?? { key: longKey(line, indent), rest: undefined }
      if (members.has(key)) throw fault(`names “${key.slice(0, 40)}” a second time`)
      const value = rest === undefined ? below(indent) : valueOf(rest, indent)
      if (key === '<<' && typeof value === 'object' && value !== null) merged = Object.entries(value)
      else members.set(key, value)
    }
    // Pairs become members of their own, also one that is called __proto__.
    return Object.fromEntries([...merged.filter(([key]) => !members.has(key)), ...members])
  }

  /** What belongs to a key, from the next line on. A list may stand as deep as the key. */
  function below(indent: number): unknown {
    const next = peek()
    return next?.indent === indent && isItem(next) ? sequence(indent) : block(indent)
  }

  /** A key that has a line of its own, as long ones have; its value begins behind a colon below. */
  function longKey({ text }: Line, indent: number): string {
    const said = /^\? +(.*)$/.exec(text)?.[1]
    const key = said === undefined || /^[[{|>&*!]/.test(said) ? undefined : (keyOf(`${said}:`)?.key ?? undefined)
    if (key === undefined) throw fault('has no key, where its neighbours have one')
    at += 1
    const next = peek()
    if (next?.indent !== indent || !/^:( |$)/.test(next.text)) throw fault('has no value for the key above it')
    const rest = next.text.slice(1).replace(/^ +/, '')
    if (rest === '') at += 1
    else lines[at] = { ...next, indent: indent + next.text.length - rest.length, text: rest }
    return key
  }

  /** What a key stands for: on its line, or below it. */
  function valueOf(rest: string, indent: number): unknown {
    count()
    const line = lines[at]
    if (!line) return null
    const { name, text } = withoutProperties(rest)
    let value: unknown
    if (text === '' || text.startsWith('#')) {
      at += 1
      value = below(indent)
    } else {
      lines[at] = { ...line, text }
      value = scalar(indent)
    }
    if (name !== undefined) anchors.set(name, value)
    return value
  }

  /** A text, a number, or something in brackets, from the current line on. */
  function scalar(parent: number): unknown {
    const line = lines[at]
    if (!line) return null
    const { name, text } = withoutProperties(line.text)
    let value: unknown
    if (text === '') {
      at += 1
      value = block(parent)
    } else value = leaf(text, parent)
    if (name !== undefined) anchors.set(name, value)
    return value
  }

  function leaf(text: string, parent: number): unknown {
    const [first = ''] = text
    if (first === '|' || first === '>') return blockText(text, parent)
    if (first === '*') {
      const name = text.slice(1).split(/[\s#]/, 1)[0] ?? ''
      if (!anchors.has(name)) throw fault(`refers to “${name.slice(0, 40)}”, which is not above it`)
      at += 1
      return anchors.get(name)
    }
    if (first === '"' || first === "'") return quoted(text, parent)
    if (first === '{' || first === '[') return flow(text)
    if (first === '%' || first === '@' || first === '`')
      throw fault(`begins with ${first}, which YAML keeps for itself`)
    return plain(text, parent)
  }

  function quoted(text: string, parent: number): string {
    const parts = [text]
    let last = text.slice(1)
    let blanks = 0
    let length = text.length
    // Each line is looked at once: a hostile text would otherwise be read anew for each of its lines.
    while (!closes(last, text[0] ?? '')) {
      at += 1
      const next = lines[at]
      if (!next || (next.text !== '' && next.indent <= parent)) throw fault('ends a text that is not closed')
      length += next.text.length
      if (length > MAX_TEXT) throw fault(`belongs to a text of over ${MAX_TEXT} characters`)
      if (next.text === '') {
        blanks += 1
        continue
      }
      // One line end is a space, more are as many less one; one that is escaped is nothing.
      if (text.startsWith('"') && blanks === 0 && isEscaping(last)) parts.push((parts.pop() ?? '').slice(0, -1))
      else parts.push(blanks > 0 ? '\n'.repeat(blanks) : ' ')
      parts.push(next.text)
      last = next.text
      blanks = 0
    }
    const whole = parts.join('')
    const read = readQuoted(whole, 0)
    if (!read) throw fault('ends a text that is not closed')
    endsHere(whole.slice(read.end))
    at += 1
    return read.value
  }

  function flow(text: string): unknown {
    const parts = [text]
    let length = text.length
    let open = openBrackets(text, { depth: 0, quote: '' })
    while (open.depth > 0 || open.quote !== '') {
      at += 1
      const next = lines[at]
      if (!next) throw fault('ends a bracket that is not closed')
      length += next.text.length
      if (length > MAX_TEXT) throw fault(`belongs to brackets of over ${MAX_TEXT} characters`)
      if (isBlank(next)) continue
      parts.push(next.text)
      open = openBrackets(next.text, open)
    }
    const whole = parts.join('\n')
    const read = readFlow(whole, { count, resolve: (name) => anchors.get(name), maxDepth: MAX_DEPTH - depth })
    if (read === 'open') throw fault('ends a bracket that is not closed')
    if ('fault' in read) throw fault(read.fault)
    endsHere(whole.slice(read.end))
    at += 1
    return read.value
  }

  function endsHere(rest: string): void {
    if (!/^\s*(#.*)?$/s.test(rest)) throw fault(`has something after its value: ${rest.trim().slice(0, 40)}`)
  }

  /** A text without quotes, which goes on for as long as the lines below stand deeper. */
  function plain(text: string, parent: number): unknown {
    const parts = [uncommented(text)]
    let isOver = parts[0] !== text
    at += 1
    let blanks = 0
    for (let line = lines[at]; line && !isOver; line = lines[++at]) {
      if (line.text === '') {
        blanks += 1
        continue
      }
      if (line.indent <= parent || line.text.startsWith('#')) break
      if (keyOf(line.text)) throw fault('has a key inside a text, and may be indented too far')
      const said = uncommented(line.text)
      parts.push(blanks > 0 ? '\n'.repeat(blanks) : ' ', said)
      blanks = 0
      isOver = said !== line.text
    }
    return parts.length === 1 ? readPlain(parts[0] ?? '') : parts.join('')
  }

  /** The lines below a | or a >, as they stand or folded. */
  function blockText(header: string, parent: number): string {
    const [, style, one = '', other = ''] = /^([|>])([+-]|[1-9])?([+-]|[1-9])?\s*(?:#.*)?$/.exec(header) ?? []
    if (style === undefined) throw fault('has something after its | or >')
    const chomping = [one, other].find((mark) => mark === '+' || mark === '-')
    const given = Number([one, other].find((mark) => /\d/.test(mark)) ?? 0)
    const below: string[] = []
    let indent = given > 0 ? Math.max(parent, 0) + given : 0
    for (at += 1; at < lines.length; at += 1) {
      const { raw } = lines[at] ?? { raw: '' }
      const depthOfLine = raw.length - raw.replace(/^ +/, '').length
      if (raw.trim() === '') {
        below.push(indent > 0 ? raw.slice(indent) : '')
        continue
      }
      if (indent === 0) indent = depthOfLine
      if (depthOfLine < indent || depthOfLine <= parent) break
      below.push(raw.slice(indent))
    }
    let trailing = 0
    while (below.length > 0 && below.at(-1) === '') {
      below.pop()
      trailing += 1
    }
    const text = style === '|' ? below.join('\n') : folded(below)
    if (chomping === '-') return text
    if (chomping === '+') return `${text}${'\n'.repeat(trailing + (below.length > 0 ? 1 : 0))}`
    return below.length > 0 ? `${text}\n` : ''
  }

  while (lines[at]?.text.startsWith('%')) at += 1
  while (lines[at] && isBlank(lines[at] as Line)) at += 1
  const begin = lines[at]
  if (begin && /^---(\s|$)/.test(begin.text) && begin.indent === 0) {
    const rest = begin.text.slice(3).trim()
    if (rest === '' || rest.startsWith('#')) at += 1
    else lines[at] = { ...begin, text: rest }
  }
  const value = block(-1)
  if (peek()) throw fault('stands beside what the document begins with')
  return value
}

/** The anchor and the tags before a value, and what is left. A text that a tag calls one is none without its quotes. */
function withoutProperties(given: string): { name?: string; text: string } {
  let text = given
  let name: string | undefined
  for (;;) {
    const [whole, mark, said] = /^([&!])(\S*)(?:\s+|$)/.exec(text) ?? []
    if (whole === undefined || mark === undefined) break
    if (mark === '&') name = said
    text = text.slice(whole.length)
  }
  return { text, ...(name !== undefined && { name }) }
}

/** The key at the beginning of a line, and what follows its colon. */
function keyOf(text: string): { key: string; rest: string } | undefined {
  const [first = ''] = text
  if (first === '"' || first === "'") {
    const read = readQuoted(text, 0)
    const after = read && /^\s*:(?:\s+(.*)|)$/s.exec(text.slice(read.end))
    return read && after ? { key: read.value, rest: after[1] ?? '' } : undefined
  }
  if ('[{|>%@`#&*!'.includes(first) || text.startsWith('? ')) return undefined
  const end = text.search(/:(\s|$)/)
  if (end < 0) return undefined
  const key = text.slice(0, end).trimEnd()
  return key.includes(' #') ? undefined : { key, rest: text.slice(end + 1).trimStart() }
}

const uncommented = (text: string): string => {
  const comment = text.search(/\s#/)
  return comment < 0 ? text : text.slice(0, comment).trimEnd()
}

/** Lines of a > as one, but for those that are empty or stand deeper. */
function folded(lines: readonly string[]): string {
  let text = ''
  let before: string | undefined
  let isLastDeeper = false
  for (const line of lines) {
    const isDeeper = /^[ \t]/.test(line)
    if (before === undefined) text = line
    else if (line === '') text += '\n'
    // The end of a line that stands deeper is kept, whatever follows.
    else if (before === '') text += isDeeper || isLastDeeper ? `\n${line}` : line
    else text += isDeeper || /^[ \t]/.test(before) ? `\n${line}` : ` ${line}`
    before = line
    if (line !== '') isLastDeeper = isDeeper
  }
  return text
}

/** Whether a line closes the text in these quotes that goes on in it. */
function closes(line: string, quote: string): boolean {
  const mark = quote === '"' ? /^(?:[^"\\]|\\.)*"/ : /^(?:[^']|'')*'(?!')/
  return mark.test(line)
}

const isEscaping = (line: string): boolean => (/\\+$/.exec(line)?.[0].length ?? 0) % 2 === 1

interface Brackets {
  depth: number
  /** The one that is open, where one is. */
  quote: string
}

/** How many brackets are open behind a line, those in quotes left out. */
function openBrackets(line: string, { depth, quote }: Brackets): Brackets {
  let before = ' '
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? ''
    if (quote !== '') {
      if (character === '\\' && quote === '"') at += 1
      else if (character === quote) quote = ''
    } else if ((character === '"' || character === "'") && /[\s,:[{]/.test(before)) quote = character
    else if (character === '#' && /\s/.test(before)) break
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    before = character
  }
  return { depth, quote }
}
