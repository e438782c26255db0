/** The app's own tools by which a model reads on in a result that it was given in part. */
export const READ_RESULT = 'read_result'
export const SEARCH_RESULT = 'search_result'

/**
 * The short name of a result, for a model: ids are long, and models drop letters of what is long. It opens nothing by
 * itself, as only results of the same conversation are looked up, so that nothing hangs on its being a secret.
 */
export function handleOf(callId: string): string {
  let one = 0xdeadbeef
  let other = 0x41c6ce57
  for (let at = 0; at < callId.length; at += 1) {
    const code = callId.charCodeAt(at)
    one = Math.imul(one ^ code, 2_654_435_761)
    other = Math.imul(other ^ code, 1_597_334_677)
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909)
  other = Math.imul(other ^ (other >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909)
  // As much as a number holds exactly: 53 bits.
  return `r_${((other & 0x1fffff) * 2 ** 32 + (one >>> 0)).toString(36)}`
}
