import type { RequestId } from '../jsonrpc.ts'

const ID = String.raw`"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")\s*`
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"\s*`
const FIRST = new RegExp(String.raw`^\s*\{\s*(?:${VERSION},\s*)?${ID}[,}]`)
const LAST = new RegExp(String.raw`,\s*${ID}(?:,\s*${VERSION})?\}\s*$`)

/** The id of a message of which only the beginning or the end is known: programs write it in one of these places. */
export function idAtEnd(head: string, tail = ''): RequestId | undefined {
  const found = FIRST.exec(head) ?? LAST.exec(tail)
  try {
    return found?.[1] === undefined ? undefined : (JSON.parse(found[1]) as RequestId)
  } catch {
    // It looks like an id and is none, such as 007: thrown while output is read, this would end our own program.
    return undefined
  }
}
