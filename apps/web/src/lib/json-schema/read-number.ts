const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i

/** What a typed number is; what is none yet, or would lose digits on the way, stays the text it is. */
export function readNumber(text: string): number | string | undefined {
  const typed = text.trim()
  if (typed === '') return undefined
  if (!NUMBER.test(typed)) return text
  const number = Number(typed)
  if (!Number.isFinite(number)) return text
  return Number.isInteger(number) && !Number.isSafeInteger(number) && /^[+-]?\d+$/.test(typed) ? text : number
}
