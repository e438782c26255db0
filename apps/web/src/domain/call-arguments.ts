export type ReadArguments = { text: string; value: Record<string, unknown> } | { problem: string }

const STRINGS = /"(?:[^"\\]|\\.)*"/g
const NUMBERS = /-?\d[\d.eE+-]*/g

const digits = (number: string) =>
  number
    .replace(/e.*$/i, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '')

/** Whether it would be another number after it was read: digits beyond the fifteenth are rounded, and 1e400 is none. */
const isLost = (number: string) => !Number.isFinite(Number(number)) || digits(number) !== digits(String(Number(number)))

/**
 * The arguments of a call as they will travel: one JSON object, written in the one way in which it is sent. What is shown,
 * approved and sent is this text; a number that would change on the way is a problem instead.
 */
export function readArguments(given: string): ReadArguments {
  if (given.trim() === '') return { text: '{}', value: {} }
  try {
    const value: unknown = JSON.parse(given)
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { problem: 'The arguments are not a JSON object.' }
    const lost = given.replace(STRINGS, '""').match(NUMBERS)?.find(isLost)
    if (lost !== undefined)
      return { problem: `The number ${lost.slice(0, 40)} cannot be sent exactly. Give it as text, in quotes.` }
    return { text: JSON.stringify(value), value: value as Record<string, unknown> }
  } catch {
    return { problem: 'The arguments are not valid JSON.' }
  }
}
