import { expect, test } from 'vitest'
import { readArguments } from './read-arguments.ts'

test.each([
  '{}',
  '{"a":1,"b":[true,null,"x"],"c":{"d":-0.5e-3}}',
  '{ "a" : "1e400 and 12345678901234567890" }',
  String.raw`{"quote\"d":"back\\slash: 9007199254740993"}`,
  '{"a":0.30000000000000004,"b":9007199254740991,"c":1e21,"d":100000000000000000000}',
  '{"__proto__":{"polluted":1},"constructor":{"prototype":2}}',
])('%s arrives as it stands', (text) => {
  expect(JSON.parse(JSON.stringify(readArguments(text, 'add')))).toEqual(JSON.parse(text))
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

test.each([
  ['{"a":', /no JSON/],
  ['', /no JSON/],
  ['[1]', /must be a JSON object/],
  ['"text"', /must be a JSON object/],
  ['null', /must be a JSON object/],
  ['{"a":1,"a":2}', /name a key twice/],
  ['{"a":{"b":1,"b":1}}', /name a key twice/],
  [String.raw`{"a":1,"\u0061":2}`, /name a key twice/],
  ['{"id":9007199254740993}', /the number 9007199254740993/],
  ['{"id":[12345678901234567890]}', /the number/],
  ['{"x":1e400}', /the number 1e400/],
  ['{"x":1e-400}', /the number/],
  ['{"x":0.1234567890123456789}', /the number/],
])('[I3] %s would not arrive as it stands, and is refused', (text, reason) => {
  expect(() => readArguments(text, 'add')).toThrow(reason)
})
