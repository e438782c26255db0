/** JSON as editors keep it: with comments and commas before a closing bracket. Undefined where it is none. */
export function readJsonc(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Perhaps for its comments.
  }
  try {
    return JSON.parse(withoutExtras(text))
  } catch {
    return undefined
  }
}

/** In one walk over the text, however it is made: a search from each comma on would take a day for a long enough paste. */
function withoutExtras(text: string): string {
  const kept: string[] = []
  /** Where the last comma stands in `kept`, while only space has followed it. */
  let comma = -1
  let at = 0
  while (at < text.length) {
    const end = endOfPart(text, at)
    const part = text.slice(at, end)
    at = end
    if (part.startsWith('//') || part.startsWith('/*')) continue
    if (part === ',') comma = kept.length
    else if ((part === '}' || part === ']') && comma >= 0) kept[comma] = ''
    if (part !== ',' && part.trim() !== '') comma = -1
    kept.push(part)
  }
  return kept.join('')
}

const PLAIN = /[^"/,{}[\]]+/y

/** The end of what begins here: a string, a comment, a run of anything else, or a single sign. */
function endOfPart(text: string, from: number): number {
  if (text[from] === '"') return endOfString(text, from)
  if (text.startsWith('//', from)) return endOr(text.indexOf('\n', from), text)
  if (text.startsWith('/*', from)) return endOr(text.indexOf('*/', from + 2) + 1, text, 0) + 1
  PLAIN.lastIndex = from
  return PLAIN.test(text) ? PLAIN.lastIndex : from + 1
}

const endOr = (found: number, text: string, missing = -1): number => (found === missing ? text.length : found)

function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return text.length
}
