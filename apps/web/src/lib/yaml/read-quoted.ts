export interface Quoted {
  value: string
  /** Where what follows the closing quote begins. */
  end: number
}

const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  '/': '/',
  '\\': '\\',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
}
const LENGTHS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

/** The text in quotes that begins at `start`; undefined where it is not closed. */
export function readQuoted(text: string, start: number): Quoted | undefined {
  return text[start] === "'" ? single(text, start + 1) : double(text, start + 1)
}

function single(text: string, start: number): Quoted | undefined {
  for (let at = start; ; at += 2) {
    at = text.indexOf("'", at)
    if (at < 0) return undefined
    if (text[at + 1] !== "'") return { value: text.slice(start, at).replaceAll("''", "'"), end: at + 1 }
  }
}

function double(text: string, start: number): Quoted | undefined {
  const parts: string[] = []
  let from = start
  for (let at = start; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') return { value: `${parts.join('')}${text.slice(from, at)}`, end: at + 1 }
    if (character !== '\\') continue
    parts.push(text.slice(from, at))
    at += 1
    const mark = text[at] ?? ''
    const length = LENGTHS[mark]
    if (length !== undefined) {
      const code = Number.parseInt(text.slice(at + 1, at + 1 + length), 16)
      parts.push(code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')
      at += length
    } else if (Object.hasOwn(ESCAPES, mark)) parts.push(ESCAPES[mark] ?? '')
    else parts.push(mark)
    from = at + 1
  }
  return undefined
}
