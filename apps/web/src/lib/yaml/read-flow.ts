import { readPlain } from './read-plain.ts'
import { readQuoted } from './read-quoted.ts'

export interface FlowNeeds {
  /** Hears of every value, and throws where they are too many. */
  count: () => void
  resolve: (alias: string) => unknown
  maxDepth: number
}

/** Something in brackets with where it ends, `open` where they are not closed, or what is wrong with it. */
export type Flow = { value: unknown; end: number } | { fault: string } | 'open'

class Open extends Error {}
class Fault extends Error {}

/** What begins with a { or a [ at the beginning of a text, which may go on behind it. */
export function readFlow(text: string, { count, resolve, maxDepth }: FlowNeeds): Flow {
  let at = 0

  function skip(): void {
    for (;;) {
      const space = /^\s+/.exec(text.slice(at, at + 200))?.[0]
      if (space) at += space.length
      else if (text[at] === '#' && (at === 0 || /\s/.test(text[at - 1] ?? ''))) {
        const end = text.indexOf('\n', at)
        at = end < 0 ? text.length : end
      } else break
    }
    if (at >= text.length) throw new Open()
  }

  function value(depth: number): unknown {
    count()
    if (depth > maxDepth) throw new Fault('is nested too deep')
    skip()
    const mark = text[at]
    if (mark === '{') return object(depth)
    if (mark === '[') return list(depth)
    return word()
  }

  function word(): unknown {
    const mark = text[at]
    if (mark === '"' || mark === "'") {
      const read = readQuoted(text, at)
      if (!read) throw new Open()
      at = read.end
      return read.value
    }
    const from = at
    while (at < text.length && !isEnd(at)) at += 1
    if (at >= text.length) throw new Open()
    const said = text.slice(from, at).trim().replaceAll(/\s+/g, ' ')
    return said.startsWith('*') ? resolve(said.slice(1)) : readPlain(said)
  }

  const isEnd = (index: number): boolean =>
    /[,[\]{}]/.test(text[index] ?? '') ||
    (text[index] === ':' && /[\s,[\]{}]/.test(text[index + 1] ?? ' ')) ||
    (text[index] === '#' && /\s/.test(text[index - 1] ?? ''))

  function list(depth: number): unknown[] {
    const items: unknown[] = []
    at += 1
    for (;;) {
      skip()
      if (text[at] === ']') break
      const from = at
      const item = value(depth + 1)
      skip()
      // A pair without braces is a mapping of one.
      if (text[at] === ':') {
        const name = typeof item === 'string' ? item : text.slice(from, at).trim()
        at += 1
        items.push(Object.fromEntries([[name, value(depth + 1)]]))
        skip()
      } else items.push(item)
      if (text[at] === ',') at += 1
      else if (text[at] !== ']') throw new Fault('has no comma between two values in brackets')
    }
    at += 1
    return items
  }

  function object(depth: number): Record<string, unknown> {
    const members: [string, unknown][] = []
    at += 1
    for (;;) {
      skip()
      if (text[at] === '}') break
      const from = at
      const key = word()
      const name = typeof key === 'string' ? key : text.slice(from, at).trim()
      skip()
      const hasValue = text[at] === ':'
      if (hasValue) {
        at += 1
        skip()
      }
      const isEmpty = text[at] === ',' || text[at] === '}'
      members.push([name, hasValue && !isEmpty ? value(depth + 1) : null])
      skip()
      if (text[at] === ',') at += 1
      else if (text[at] !== '}') throw new Fault('has no comma between two members in braces')
    }
    at += 1
    return Object.fromEntries(members)
  }

  try {
    return { value: value(0), end: at }
  } catch (error) {
    if (error instanceof Open) return 'open'
    if (error instanceof Fault) return { fault: error.message }
    throw error
  }
}
