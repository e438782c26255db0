import { expect, test } from 'vitest'
import { findEntries } from './find-entries.ts'

const entries = [
  { label: 'Weather of Lisbon', hint: 'forecast' },
  { label: 'Lisbon trip' },
  { label: 'Tax return', hint: 'numbers' },
]

test('all words must be there, in the name or beside it', () => {
  expect(findEntries(entries, 'lisbon FORE', 5)).toEqual([entries[0]])
  expect(findEntries(entries, 'lisbon tax', 5)).toEqual([])
})

test('what begins with the word comes first', () => {
  expect(findEntries(entries, 'lisbon', 5).map(({ label }) => label)).toEqual(['Lisbon trip', 'Weather of Lisbon'])
})

test('without words everything is there, up to the limit', () => {
  expect(findEntries(entries, ' ', 2)).toHaveLength(2)
})
