import { expect, test } from 'vitest'
import { readArguments } from './call-arguments.ts'

test('what is shown is what is sent: one spelling, whatever the model wrote', () => {
  for (const given of [
    '{"a":1,"b":[true,null]}',
    ' {\n "a" : 1.0, "b": [true, null] } ',
    '{"b":0,"a":1,"b":[true,null]}',
  ]) {
    const read = readArguments(given)
    expect(read).toHaveProperty('text')
    if ('text' in read) expect(read.text).toBe(JSON.stringify(JSON.parse(read.text)))
  }
  expect(readArguments('{"a" : "x"}')).toEqual({ text: '{"a":"x"}', value: { a: 'x' } })
})

test('no arguments at all are an empty object', () => {
  expect(readArguments('')).toEqual({ text: '{}', value: {} })
  expect(readArguments('  ')).toEqual({ text: '{}', value: {} })
})

test('what is no JSON object is a problem', () => {
  for (const given of [
    '[1]',
    '"text"',
    'null',
    '3',
    'true',
    '{"a":',
    '{"a":1}}',
    '{a:1}',
    'undefined',
    `${'['.repeat(100_000)}`,
  ])
    expect(readArguments(given)).toHaveProperty('problem')
})

test('[A2.17] a number that would change on the way is a problem, also deep inside', () => {
  for (const number of ['12345678901234567890', '9007199254740993', '1e400', '-1e999', '0.1234567890123456789'])
    expect(readArguments(`{"deep":[{"n":${number}}]}`)).toHaveProperty('problem')
  for (const number of ['0', '-1', '1.5', '100', '1e3', '9007199254740991', '0.1', '1.10'])
    expect(readArguments(`{"n":${number}}`)).toHaveProperty('text')
  expect(readArguments('{"id":"12345678901234567890","say":"it is \\"12345678901234567890\\""}')).toHaveProperty('text')
})

test('[A2.16] a key called __proto__ stays a key and changes nothing', () => {
  const read = readArguments('{"__proto__":{"polluted":true}}')
  expect(read).toMatchObject({ text: '{"__proto__":{"polluted":true}}' })
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})
