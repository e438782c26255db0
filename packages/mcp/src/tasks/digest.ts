/** A short name for a value, to tell a question from another: no protection against anybody. */
export function digestOf(value: unknown): string {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (const character of JSON.stringify(value) ?? '') {
    const code = character.codePointAt(0)!
    a = Math.imul(a ^ code, 0x9e3779b1)
    b = Math.imul(b ^ code, 0x5f356495)
  }
  return `${((a ^ (b >>> 13)) >>> 0).toString(36)}${((b ^ (a >>> 16)) >>> 0).toString(36)}`
}
