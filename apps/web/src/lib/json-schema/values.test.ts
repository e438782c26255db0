import { describe, expect, test } from 'vitest'
import { pathOf, withKey, withMovedItem } from './change-value.ts'
import { fromLocalTime, toLocalTime } from './local-time.ts'
import { matchBranch } from './match-branch.ts'
import { readNumber } from './read-number.ts'

describe('a number as it is typed', () => {
  test.each([
    ['12', 12],
    ['-3.5', -3.5],
    ['1.', 1],
    ['.5', 0.5],
    ['1e3', 1000],
    [' 7 ', 7],
    ['', undefined],
    ['  ', undefined],
    // What is none yet, or would be another number once it is read, stays as it was typed.
    ['-', '-'],
    ['1,5', '1,5'],
    ['0x10', '0x10'],
    ['12a', '12a'],
    ['Infinity', 'Infinity'],
    ['1e999', '1e999'],
    ['12345678901234567890', '12345678901234567890'],
  ])('%j', (text, expected) => expect(readNumber(text)).toBe(expected))
})

describe('a moment', () => {
  test('one that the input shows as it is goes in and out unchanged', () => {
    for (const moment of ['2026-01-31T14:30:00Z', '2026-07-01T00:00:59Z'])
      expect(fromLocalTime(toLocalTime(moment) ?? '')).toBe(moment)
  })
  test('one that it would change is left to a text', () => {
    for (const moment of ['2026-01-31T14:30:00+02:00', '2026-01-31T14:30:00.123Z', '2026-01-31', 'tomorrow', ''])
      expect(toLocalTime(moment)).toBeUndefined()
  })
})

describe('a change of a value', () => {
  test('a key keeps its place, goes, or comes last', () => {
    expect(Object.keys(withKey({ a: 1, b: 2 }, 'a', 3))).toEqual(['a', 'b'])
    expect(withKey({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 })
    expect(Object.keys(withKey({ b: 2 }, 'a', 1))).toEqual(['b', 'a'])
  })
  test('a key called __proto__ changes no object but its own', () => {
    const value = withKey(withKey({}, '__proto__', { polluted: 1 }), 'x', 2)
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":1},"x":2}')
    expect(JSON.stringify(withKey(value, '__proto__', 5))).toBe('{"__proto__":5,"x":2}')
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })
  test('an item is moved, and its place is a JSON pointer', () => {
    expect(withMovedItem(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
    expect(pathOf('/a', 'b/c~')).toBe('/a/b~1c~0')
  })
})

describe('the branch that a value is of', () => {
  const branches = [
    { type: 'string' },
    { type: 'number' },
    { properties: { kind: { const: 'a' }, x: {} } },
    { properties: { kind: { const: 'b' }, x: {} } },
    { type: 'array' },
  ].map((schema) => ({ label: '', schema }))
  test.each([
    ['text', 0],
    [4, 1],
    [{ kind: 'b', x: 1 }, 3],
    [{ kind: 'a' }, 2],
    [[], 4],
    [true, -1],
    [null, -1],
    [{ kind: 'c' }, -1],
  ])('%j', (value, expected) => expect(matchBranch({}, branches, value)).toBe(expected))
  test('a union that only holds itself is matched by nothing', () => {
    const root = { anyOf: [{ $ref: '#' }, { $ref: '#' }] }
    expect(() => matchBranch(root, [{ label: '', schema: root }], 'x')).not.toThrow()
  })
})
