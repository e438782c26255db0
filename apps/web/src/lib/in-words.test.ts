import { expect, test } from 'vitest'
import { bytesOf, durationInWords } from './in-words.ts'

test('times are said in the unit that fits', () => {
  expect([durationInWords(80), durationInWords(800), durationInWords(125_000)]).toEqual(['80 ms', '0.8 s', '2 min 5 s'])
})

test('bytes are counted as they travel', () => {
  expect(bytesOf('é😀')).toBe(6)
})
