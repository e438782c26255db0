import { expect, test } from 'vitest'
import { readJsonc } from './read-jsonc.ts'

test.each([
  ['{"a": [1, "x", true, null, -1.5e3]}', { a: [1, 'x', true, null, -1500] }],
  ['// first\n{/* in */ "a": 1, // behind\n "b": [1, 2, ], }', { a: 1, b: [1, 2] }],
  ['{"url": "https://a.example//b", "note": "/* kept */, ]"}', { url: 'https://a.example//b', note: '/* kept */, ]' }],
  ['{"a": "\\"//\\u00e9"}', { a: '"//é' }],
])('reads %j', (text, value) => expect(readJsonc(text)).toEqual(value))

test.each(['', '{', '{"a": }', '[1,,2]', '{"a" 1}', '{"a": 1} x', '"open', '{"a": tru}', '[1, , ]'])(
  'refuses %j',
  (text) => expect(readJsonc(text)).toBeUndefined(),
)

test('keeps prototype names as plain keys', () => {
  const value = readJsonc('{"__proto__": {"polluted": 1}, /* and */ "constructor": 2}') as Record<string, unknown>
  expect(Object.keys(value)).toEqual(['__proto__', 'constructor'])
  expect(value['polluted']).toBeUndefined()
})

test('refuses a million open brackets', () => {
  expect(readJsonc(`${'['.repeat(1_000_000)} // a comment`)).toBeUndefined()
})
