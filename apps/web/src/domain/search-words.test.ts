import { expect, test } from 'vitest'
import { hasSearchedWords, searchedWords, searchWords } from './search-words.ts'

const finds = (text: string, query: string) => hasSearchedWords(searchWords(text), searchedWords(query))

test.each([
  ['How long does BREAD bake?', 'bread ba'],
  ['{"order_id": "A-1720", "état": "prêt"}', 'order_id 1720'],
  ['{"order_id": "A-1720", "état": "prêt"}', 'État'],
  ['明日の東京都の天気は晴れです', '東京都'],
  ['明日の東京都の天気は晴れです', '天'],
  ['明日の東京都の天気は晴れです', 'す'],
  ['ﬁle ①', 'file 1'],
  ['x'.repeat(500), 'x'.repeat(450)],
  ['हिन्दी में', 'हिन्दी'],
])('in %j, %j is found', (text, query) => expect(finds(text, query)).toBe(true))

test.each([
  ['How long does bread bake?', 'bread cake'],
  ['明日の天気', '京都'],
  ['a constructor', '__proto__'],
])('in %j, %j is not found', (text, query) => expect(finds(text, query)).toBe(false))

test('bounds the words of a text', () => {
  expect(searchWords(Array.from({ length: 50_000 }, (_, at) => `w${at}`).join(' '))).toHaveLength(2_000)
  expect(searchedWords('... — ')).toEqual([])
})
