import { MCPError } from '../errors.ts'

const MAX_DEPTH = 256
const MAX_CHARACTERS = 16_777_216

/**
 * JSON with sorted keys: equal for values that differ in the order of keys only. `absent` is written for members that
 * are undefined; without it they are left out. What is nested or long without end is an error.
 */
export function canonicalJson(value: unknown, absent?: string): string {
  let left = MAX_CHARACTERS
  const counted = (text: string): string => {
    left -= text.length
    if (left < 0) throw new MCPError('Too large for a fingerprint', 'limit')
    return text
  }
  const write = (inner: unknown, depth: number): string => {
    if (typeof inner !== 'object' || inner === null) return counted(JSON.stringify(inner) ?? absent ?? 'null')
    if (depth === MAX_DEPTH) throw new MCPError('Nested too deep for a fingerprint', 'limit')
    counted('{}')
    if (Array.isArray(inner)) return `[${inner.map((item) => write(item ?? null, depth + 1)).join()}]`
    const members: string[] = []
    for (const key of Object.keys(inner).sort()) {
      const member = (inner as Record<string, unknown>)[key]
      if (member === undefined && absent === undefined) continue
      members.push(`${counted(JSON.stringify(key))}:${write(member, depth + 1)}`)
    }
    return `{${members.join()}}`
  }
  return write(value, 0)
}
