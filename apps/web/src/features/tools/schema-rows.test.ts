import { expect, test } from 'vitest'
import { schemaRows } from './schema-rows.ts'

const lines = (schema: unknown) =>
  schemaRows(schema).rows.map(
    ({ name, depth, type, isRequired, hints }) =>
      `${'  '.repeat(depth)}${name}${isRequired ? '!' : ''}: ${[type, ...hints].join(' · ')}`,
  )

test('every field is a line: its name, what it is, whether it is needed and what it must be like', () => {
  const schema = {
    type: 'object',
    required: ['city'],
    properties: {
      city: { type: 'string', minLength: 2 },
      days: { type: 'integer', minimum: 1, maximum: 7, default: 3 },
      unit: { enum: ['C', 'F'] },
      deep: { type: 'object', properties: { on: { type: 'boolean' } } },
      list: { type: 'array', items: { type: 'object', properties: { x: { type: ['number', 'null'] } } } },
    },
  }
  expect(lines(schema)).toEqual([
    'city!: text · at least 2 characters',
    'days: whole number · at least 1 · at most 7 · default 3',
    'unit: one of C, F',
    'deep: object',
    '  on: yes or no',
    'list: list of object',
    '  x: number or null',
  ])
})

test.each([
  ['one that holds itself', { type: 'object', properties: { next: { $ref: '#' } } }],
  [
    'one of ten thousand fields',
    { properties: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`f${n}`, {}])) },
  ],
])('a hostile schema has an end: %s', (_, schema) => {
  const { rows, isCut } = schemaRows(schema)
  expect(rows.length).toBeLessThanOrEqual(200)
  expect(isCut).toBe(true)
})

test.each([undefined, null, true, 'text', [], { $ref: 'https://example.com/x.json' }])(
  'what is no schema of an object has no lines: %j',
  (schema) => {
    expect(schemaRows(schema).rows).toEqual([])
  },
)
