import { expect, test } from 'vitest'
import { argumentRows, isJsonObject, readableName, readableValue } from './argument-rows.ts'

test('every argument is a row, as it is written', () => {
  expect(argumentRows('{"city": "Lisbon" , "days":3,"deep":{"a":[1,"}",{"b":"\\""}]}, "no":null}')).toEqual([
    { name: '"city"', value: '"Lisbon"' },
    { name: '"days"', value: '3' },
    { name: '"deep"', value: '{"a":[1,"}",{"b":"\\""}]}' },
    { name: '"no"', value: 'null' },
  ])
})

test('what a parser would drop is shown: a name that comes twice, a number too long to hold', () => {
  expect(argumentRows('{"to":"a","to":"b","n":12345678901234567890.10}')).toEqual([
    { name: '"to"', value: '"a"' },
    { name: '"to"', value: '"b"' },
    { name: '"n"', value: '12345678901234567890.10' },
  ])
})

test('no character but the space between them is lost: rows put together are the text', () => {
  const text = '{"a":"x,y:{z}","\\"b\\"":[1,[2,{"c":"]"}]],"":{},"d":-1e-7}'
  const joined = argumentRows(text)?.map(({ name, value }) => `${name}:${value}`)
  expect(`{${joined?.join(',')}}`).toBe(text)
})

test.each(['[]', '"text"', 'null', '{"a":', '{a:1}', '', '{} {}'])('%j is no object of arguments', (text) => {
  expect(argumentRows(text)).toBeUndefined()
  expect(isJsonObject(text)).toBe(false)
})

test('no arguments are no rows', () => {
  expect(argumentRows(' { } ')).toEqual([])
})

test('a string shows its line breaks where that says the same', () => {
  expect(readableValue('"one\\ntwo"')).toBe('"one\ntwo"')
  expect(readableValue('"caf\\u00e9"')).toBe('"caf\\u00e9"')
  expect(readableValue('"a\\/b"')).toBe('"a\\/b"')
  expect(readableValue('[1, 2]')).toBe('[1, 2]')
})

test('lines that would push the rest out of sight stay as they are written', () => {
  expect(readableValue('"harmless\\n\\n\\n\\n\\n\\nrm -rf"')).toBe('"harmless\\n\\n\\n\\n\\n\\nrm -rf"')
})

test('a name that is not plain keeps its quotes', () => {
  expect([readableName('"city"'), readableName('"a b"'), readableName('"\\u0063ity"')]).toEqual([
    'city',
    '"a b"',
    '"\\u0063ity"',
  ])
})
