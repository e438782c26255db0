import { describe, expect, it } from 'vitest'
import { checkJson } from './check-json.ts'

describe('checkJson', () => {
  it.each<[string, unknown, unknown, string | undefined]>([
    ['an object', { type: 'object' }, {}, undefined],
    ['a list for an object', { type: 'object' }, [], 'the value is not object'],
    ['null for an object', { type: 'object' }, null, 'the value is not object'],
    ['one of two types', { type: ['string', 'null'] }, null, undefined],
    ['none of two types', { type: ['string', 'null'] }, 1, 'the value is not string or null'],
    ['a whole number', { type: 'integer' }, 3, undefined],
    ['a broken number', { type: 'integer' }, 3.5, 'the value is not integer'],
    ['a type nobody knows', { type: 'constructor' }, 1, undefined],
    ['a choice', { enum: ['a', { b: 1 }] }, { b: 1 }, undefined],
    ['no choice', { enum: ['a'] }, 'b', 'the value is none of its choices'],
    ['a constant', { const: null }, 1, 'the value is not what it must be'],
    ['a member too few', { required: ['a', 'b'] }, { a: 1 }, 'the value lacks b'],
    ['an inherited member', { required: ['toString'] }, {}, 'the value lacks toString'],
    ['a member of a wrong type', { properties: { a: { type: 'string' } } }, { a: 1 }, 'a is not string'],
    ['a member too many', { properties: {}, additionalProperties: false }, { a: 1 }, 'the value has no a'],
    ['a member that must not be', { properties: { a: false } }, { a: 1 }, 'a must not be there'],
    ['a list', { items: { type: 'number' } }, [1, 'x'], 'the value[1] is not number'],
    ['what is not checked', { pattern: '^a', minLength: 9, $ref: '#' }, 'b', undefined],
    ['a schema that is none', 'string', 1, undefined],
  ])('[D8] %s', (_what, schema, value, fault) => {
    expect(checkJson(schema, value)).toBe(fault)
  })
})
