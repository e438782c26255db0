import { Failed } from '#domain/failure.ts'

/**
 * The arguments of a call, from the text that was shown and approved. Refuses a text that would not arrive as it stands:
 * a key that is there twice, a number that cannot be held exactly.
 */
export function readArguments(text: string, tool: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Failed('bad-arguments', `The arguments for ${tool} are no JSON.`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Failed('bad-arguments', `The arguments for ${tool} must be a JSON object.`)
  let keys = 0
  for (const [token, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*/g)) {
    if (colon !== undefined) keys += 1
    else if (!token.startsWith('"') && !isExact(token))
      throw new Failed(
        'bad-arguments',
        `The arguments for ${tool} hold the number ${token.slice(0, 40)}, which would not arrive as it stands. Write it as a text.`,
      )
  }
  if (keys !== countKeys(value))
    throw new Failed('bad-arguments', `The arguments for ${tool} name a key twice: only one of them would arrive.`)
  return value as Record<string, unknown>
}

/** Whether the number means the same after it was read: most digits beyond the fifteenth are rounded, and 1e400 is none. */
const isExact = (token: string): boolean =>
  Number.isFinite(Number(token)) && digitsOf(token) === digitsOf(String(Number(token)))

const digitsOf = (token: string): string =>
  token.replace(/e.*$/i, '').replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '')

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const parts = Object.values(value)
  return parts.reduce<number>((sum, part) => sum + countKeys(part), Array.isArray(value) ? 0 : parts.length)
}
