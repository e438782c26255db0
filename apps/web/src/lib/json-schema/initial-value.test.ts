import { expect, test } from 'vitest'
import { initialValue, valueToAdd } from './initial-value.ts'

test('what may be left out is left out, and what is needed begins with its default', () => {
  const schema = {
    required: ['unit', 'where', 'version', 'day'],
    properties: {
      unit: { type: 'string', default: 'C' },
      where: {
        type: 'object',
        required: ['country'],
        properties: { country: { default: 'NO' }, city: { default: 'Oslo' } },
      },
      version: { const: 2 },
      day: { type: 'string' },
      loud: { type: 'boolean', default: false },
      more: { type: 'object', required: ['x'], properties: { x: { default: 1 } } },
    },
  }
  expect(initialValue(schema)).toEqual({ unit: 'C', where: { country: 'NO' }, version: 2 })
  expect(initialValue(schema, { defaults: true })).toEqual({
    unit: 'C',
    where: { country: 'NO', city: 'Oslo' },
    version: 2,
    loud: false,
  })
})

test('a box that nobody ticked is no "no"', () => {
  const schema = { required: ['agree'], properties: { agree: { type: 'boolean' }, news: { type: 'boolean' } } }
  expect(initialValue(schema, { defaults: true })).toEqual({})
})

test('an object that needs one of its own kind has an end', () => {
  const value = initialValue({
    type: 'object',
    required: ['a', 'b'],
    properties: { a: { $ref: '#' }, b: { $ref: '#' } },
  })
  expect(JSON.stringify(value).length).toBeLessThan(2_000)
})

test('whatever the schema is, a form begins with an object', () => {
  for (const schema of [undefined, null, true, false, 5, 'x', [], { type: 'string', default: 'x' }, { default: [1] }])
    expect(initialValue(schema)).toEqual({})
})

test('a property called __proto__ is one like any other', () => {
  const value = initialValue(
    JSON.parse('{"required":["__proto__"],"properties":{"__proto__":{"default":{"polluted":true}}}}'),
  )
  expect(Object.keys(value)).toEqual(['__proto__'])
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

test('what is added begins as what it is', () => {
  expect(valueToAdd({}, { type: 'object' })).toEqual({})
  expect(valueToAdd({}, { type: 'array' })).toEqual([])
  expect(valueToAdd({}, { type: 'string' })).toBeUndefined()
  expect(valueToAdd({}, { type: 'string', default: 'x' })).toBe('x')
})
