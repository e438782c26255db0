import { expect, test } from 'vitest'
import { jsonChanges } from './json-changes.ts'

test('the order of keys is no change', () => {
  expect(jsonChanges({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toEqual([])
})

test('each place that differs is told with what it was and what it is', () => {
  const before = {
    description: 'Reads a file',
    inputSchema: { properties: { path: { type: 'string' } }, required: ['path'] },
  }
  const after = {
    description: 'Reads a file, and sends it',
    inputSchema: { properties: { path: { type: 'string' }, to: { type: 'string' } }, required: [] },
    annotations: { readOnlyHint: true },
  }
  expect(jsonChanges(before, after)).toEqual([
    { path: 'annotations', after: '{"readOnlyHint":true}' },
    { path: 'description', before: 'Reads a file', after: 'Reads a file, and sends it' },
    { path: 'inputSchema.properties.to', after: '{"type":"string"}' },
    { path: 'inputSchema.required[0]', before: 'path' },
  ])
})

test('names that every object has are places like others', () => {
  expect(jsonChanges({}, JSON.parse('{"__proto__":1,"constructor":2}'))).toEqual([
    { path: '__proto__', after: '1' },
    { path: 'constructor', after: '2' },
  ])
})

test('of very many differences the first are told', () => {
  const many = (value: number) => Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, value]))
  expect(jsonChanges(many(1), many(2))).toHaveLength(200)
})

test('a value of another kind is one change', () => {
  expect(jsonChanges('text', { a: 1 })).toEqual([{ path: '', before: 'text', after: '{"a":1}' }])
  expect(jsonChanges({ a: [1] }, { a: { 0: 1 } })).toEqual([{ path: 'a', before: '[1]', after: '{"0":1}' }])
  expect(jsonChanges({ a: null }, { a: {} })).toEqual([{ path: 'a', before: 'null', after: '{}' }])
})

test('a key with a dot does not hide a change at the path that it spells', () => {
  const changes = jsonChanges({ 'a.b': 1, a: { b: 1 } }, { 'a.b': 2, a: { b: 3 } })
  expect(new Set(changes.map(({ after }) => after))).toEqual(new Set(['2', '3']))
})
