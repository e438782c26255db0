export interface Words {
  words: string[]
  /** Where a shell would go on with something else: what follows was not read. */
  cutAt?: string
  problem?: string
}

const MAX_WORDS = 500

/** A command line as a shell would part it. Nothing is put in for $VARIABLES, and nothing is run. */
export function splitWords(given: string): Words {
  const text = given.trim()
  const words: string[] = []
  let word: string | undefined
  let at = 0
  while (at < text.length) {
    const sign = text.charAt(at)
    const next = text.charAt(at + 1)
    // A line that goes on, in a shell (\), in PowerShell (`) or in the old prompt of Windows (^).
    if (/[\\`^]/.test(sign) && /[\r\n]/.test(next)) at += next === '\r' && text[at + 2] === '\n' ? 3 : 2
    else if (sign === "'" || sign === '"') {
      const quoted = readQuoted(text, at)
      if (!quoted) return { words, problem: `The ${sign} that opens at character ${at + 1} is not closed.` }
      word = (word ?? '') + quoted.text
      at = quoted.end
    } else if (sign === '\\' && next !== '' && !isWindowsPath(word, next)) {
      word = (word ?? '') + next
      at += 2
    } else if (/\s/.test(sign)) {
      if (word !== undefined) words.push(word)
      word = undefined
      at++
      if (sign === '\n' && words.length > 0) return { words, cutAt: 'the next line' }
    } else if (/[|;<>&]/.test(sign) && !(sign === '&' && word !== undefined && next !== '&')) {
      // <your-token> is a wish, not a file to read from.
      const wish = sign === '<' ? /^<[\w .-]{1,100}>/.exec(text.slice(at, at + 110))?.[0] : undefined
      if (wish === undefined) {
        if (word !== undefined) words.push(word)
        return { words, cutAt: sign }
      }
      word = (word ?? '') + wish
      at += wish.length
    } else {
      word = (word ?? '') + sign
      at++
    }
    if (words.length > MAX_WORDS) return { words: [], problem: `It has over ${MAX_WORDS} words.` }
  }
  if (word !== undefined) words.push(word)
  return { words }
}

/** C:\Tools\server.exe: there the sign parts folders. */
const isWindowsPath = (word: string | undefined, next: string): boolean =>
  word !== undefined && /^[A-Za-z]:/.test(word) && /[\w. -]/.test(next)

function readQuoted(text: string, from: number): { text: string; end: number } | undefined {
  const quote = text[from]
  const parts: string[] = []
  for (let at = from + 1; at < text.length; at++) {
    const sign = text.charAt(at)
    if (sign === quote) return { text: parts.join(''), end: at + 1 }
    const next = text.charAt(at + 1)
    if (quote === '"' && sign === '\\' && /["\\$`\n]/.test(next)) {
      if (next !== '\n') parts.push(next)
      at++
    } else parts.push(sign)
  }
  return undefined
}
