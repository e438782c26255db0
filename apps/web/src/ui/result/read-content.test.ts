import { expect, test } from 'vitest'
import { asTable } from './as-table.ts'
import { readContent } from './read-content.ts'

test('each kind of block is shown as what it is', () => {
  const blocks = [
    { type: 'text', text: 'words' },
    { type: 'text', text: ' {"a":[1]} ' },
    { type: 'image', data: 'AAAA', mimeType: 'image/svg+xml' },
    { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'file:///etc/passwd', name: 'passwd' },
    { type: 'resource', resource: { uri: 'note://a', text: 'hello' } },
    { type: 'resource', resource: { uri: 'note://b', blob: 'AAAA' } },
  ]
  expect(readContent(blocks, undefined)).toEqual([
    { type: 'text', text: 'words' },
    { type: 'json', value: { a: [1] } },
    { type: 'image', base64: 'AAAA' },
    { type: 'audio', base64: 'AAAA', mimeType: 'audio/wav' },
    { type: 'link', address: 'file:///etc/passwd', name: 'passwd', description: '' },
    { type: 'resource', address: 'note://a', text: 'hello', base64: undefined },
    { type: 'resource', address: 'note://b', text: undefined, base64: 'AAAA' },
  ])
})

test.each([
  {},
  { type: 'text', text: 5 },
  { type: 'image' },
  { type: 'resource', resource: null },
  { type: 'unheard-of', a: 1 },
])('%j, which is no block, is shown as the JSON it is', (block) => {
  expect(readContent([block], undefined)).toEqual([{ type: 'json', value: block }])
})

test('text that only repeats the structured content is not shown twice', () => {
  const structured = { city: 'Lisbon', days: [1, 2] }
  expect(readContent([{ type: 'text', text: JSON.stringify(structured) }], structured)).toEqual([])
  expect(readContent([{ type: 'text', text: '{"city":"Oslo"}' }], structured)).toHaveLength(1)
})

test('text that merely begins like JSON stays text', () => {
  expect(readContent([{ type: 'text', text: '[link](https://example.com)' }], undefined)[0]?.type).toBe('text')
})

test('a list of like objects is a table; lists in lists and very wide ones are not', () => {
  expect(asTable([{ a: 1 }, { a: 2, b: null }])).toEqual({ columns: ['a', 'b'], rows: [{ a: 1 }, { a: 2, b: null }] })
  expect(asTable([])).toBeUndefined()
  expect(asTable([{ a: [1] }])).toBeUndefined()
  expect(asTable([{ a: 1 }, 2])).toBeUndefined()
  expect(asTable({ a: 1 })).toBeUndefined()
  expect(asTable([Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`c${index}`, index]))])).toBeUndefined()
})
