import { expect, test } from 'vitest'
import { matchSchema } from './match-schema.ts'

const check = (schema: unknown, value: string) => matchSchema(JSON.stringify(schema), value)

test('a value that fits, fits', () => {
  const schema = { type: 'object', properties: { days: { type: 'integer', minimum: 1 } }, required: ['days'] }
  expect(check(schema, '{"days":3}')).toEqual({ outcome: 'fits' })
})

test('a value that does not says where and why', () => {
  const schema = {
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: { type: 'integer', maximum: 7 },
      list: { type: 'array', items: { enum: ['a', 'b'] } },
    },
    required: ['city'],
    additionalProperties: false,
  }
  const verdict = check(schema, '{"days":9,"list":["a","c"],"other":1}')
  expect(verdict).toMatchObject({ outcome: 'unfit' })
  const { faults } = verdict as { faults: string[] }
  expect(faults.join('\n')).toMatch(/"city"/)
  expect(faults.join('\n')).toMatch(/^\/days: /m)
  expect(faults.join('\n')).toMatch(/^\/list\/1: /m)
  expect(faults.length).toBeLessThanOrEqual(5)
})

test.each([
  ['refers to itself without end', { $ref: '#' }],
  ['refers round in a circle', { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }],
  ['has an id that is none', { $id: 'http://[', type: 'object' }],
  ['names an anchor that is not there', { $ref: '#nowhere' }],
])('a schema that %s is told to be unusable', (_what, schema) => {
  const verdict = check(schema, '{}')
  expect(verdict).toMatchObject({ outcome: 'unusable', problem: expect.stringMatching(/^could not be checked/) })
})

test('a pattern of another language than ours checks nothing', () => {
  const schema = {
    properties: { a: { type: 'string', pattern: '[\\w-.]+(?P<x>)' } },
    patternProperties: { '(': false },
  }
  expect(check(schema, '{"a":"b"}')).toEqual({ outcome: 'fits' })
  expect(check(schema, '{"a":1}')).toMatchObject({ outcome: 'unfit' })
})

test.each([
  ['draft-07', 'http://json-schema.org/draft-07/schema#', { items: [{ type: 'string' }], additionalItems: false }],
  ['2020-12', 'https://json-schema.org/draft/2020-12/schema', { prefixItems: [{ type: 'string' }], items: false }],
])('lists are read as %s means them', (_name, $schema, list) => {
  const schema = { $schema, type: 'object', properties: { list } }
  expect(check(schema, '{"list":["a"]}')).toEqual({ outcome: 'fits' })
  expect(check(schema, '{"list":["a","b"]}')).toMatchObject({ outcome: 'unfit' })
})

test('[A2.16] names of every object are plain names', () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"}},"additionalProperties":false}',
  )
  expect(check(schema, '{"__proto__":"a"}')).toEqual({ outcome: 'fits' })
  expect(check(schema, '{"__proto__":1}')).toMatchObject({ outcome: 'unfit' })
  expect(check(schema, '{"toString":1}')).toMatchObject({ outcome: 'unfit' })
})
