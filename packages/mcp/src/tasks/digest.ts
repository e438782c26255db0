import { isObject } from '../jsonrpc.ts'

/**
 * A short name for a question, to tell it from another: no protection against anybody. Stores change the order of keys, and
 * what is said beside a question is no part of it.
 */
export function digestOf(question: unknown): string {
  const { method, params } = isObject(question) ? question : {}
  const asked = isObject(params) ? { ...params, _meta: undefined } : params
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (const character of JSON.stringify([method, asked], sortKeys)) {
    const code = character.codePointAt(0)!
    a = Math.imul(a ^ code, 0x9e3779b1)
    b = Math.imul(b ^ code, 0x5f356495)
  }
  return `${((a ^ (b >>> 13)) >>> 0).toString(36)}${((b ^ (a >>> 16)) >>> 0).toString(36)}`
}

const sortKeys = (_key: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value
