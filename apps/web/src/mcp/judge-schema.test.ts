import { expect, test } from 'vitest'
import { judgeSchema } from './judge-schema.ts'

const nested = (levels: number): object =>
  levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(levels - 1) } }
const many = (count: number) => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { type: 'string' }])),
})

test.each([
  ['an empty one', {}],
  ['a usual one', { type: 'object', properties: { city: { type: 'string', minLength: 1 } }, required: ['city'] }],
  ['one that refers to its own parts', { $defs: { a: { type: 'string' } }, properties: { x: { $ref: '#/$defs/a' } } }],
  ['one that refers to itself', { properties: { child: { $ref: '#' } } }],
  ['a name with a slash', { $defs: { 'a/b c': {} }, properties: { x: { $ref: '#/$defs/a~1b%20c' } } }],
  ['an argument called $ref', { properties: { $ref: { type: 'string' } } }],
  ['30 levels', nested(30)],
  ['1,900 arguments', many(1900)],
])('%s may be used', (_what, schema) => {
  expect(judgeSchema(schema)).toBeUndefined()
})

test.each([
  ['no object', 'text', /no object/],
  ['nothing', undefined, /no object/],
  ['40 levels', nested(40), /nested deeper/],
  ['100,000 levels', JSON.parse(`${'{"not":'.repeat(5000)}{}${'}'.repeat(5000)}`), /nested deeper/],
  ['3,000 arguments', many(3000), /over 2000 parts/],
  ['a megabyte', { description: 'x'.repeat(1 << 20) }, /bytes/],
  ['an address', { $ref: 'http://127.0.0.1:1/schema' }, /never fetched/],
  ['a file', { properties: { a: { $ref: 'file:///etc/passwd' } } }, /never fetched/],
  ['a relative address', { allOf: [{ $ref: 'other.json#/a' }] }, /never fetched/],
  ['a part that is not there', { $ref: '#/$defs/none' }, /not in it/],
  ['a part of every object', { $ref: '#/constructor' }, /not in it/],
])('[A2.15] one with %s is refused, with the reason', (_what, schema, reason) => {
  expect(judgeSchema(schema)).toMatch(reason)
})
