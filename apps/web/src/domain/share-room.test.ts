import { expect, test } from 'vitest'
import { RESULT_BUDGET } from './result-for-model.ts'
import { RESULTS_BUDGET, shareRoom } from './share-room.ts'

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

test('results that fit together are given whole, each within its own budget', () => {
  expect(shareRoom([])).toEqual([])
  expect(shareRoom([10, 0, 3_000])).toEqual([10, 0, 3_000])
  expect(shareRoom([5, 5_000_000])).toEqual([5, RESULT_BUDGET])
})

test('the newest keep theirs, older ones shrink, and the oldest are only mentioned', () => {
  const shares = shareRoom(Array.from({ length: 60 }, () => 5_000_000))
  expect(shares.slice(-3)).toEqual([RESULT_BUDGET, RESULT_BUDGET, RESULT_BUDGET])
  expect(shares.at(-4)).toBe(1_000)
  expect(shares[0]).toBe(0)
  expect(shares).toEqual(shares.toSorted((one, other) => one - other))
})

test('however many and however long they are, together they stay within the budget', () => {
  for (const length of [201, 999, 1_001, 5_000, RESULT_BUDGET, 5_000_000])
    for (const count of [1, 5, 50, 1_000])
      expect(sum(shareRoom(Array.from({ length: count }, () => length)))).toBeLessThanOrEqual(RESULTS_BUDGET)
})

test('what has shrunk does not grow again, whatever comes after it', () => {
  const lengths = [900, 30_000, 100, 24_000, 50_000, 12, 8_000, 70_000, 300, 24_000, 24_000, 1_500, 60_000, 60_000]
  for (let count = 1; count < lengths.length; count += 1) {
    const before = shareRoom(lengths.slice(0, count))
    const after = shareRoom(lengths.slice(0, count + 1))
    for (const [at, share] of before.entries()) expect(after[at]).toBeLessThanOrEqual(share)
  }
})

test('a result that is no longer than the note in its place stays', () => {
  const shares = shareRoom([150, ...Array.from({ length: 100 }, () => 24_000)])
  expect(shares[0]).toBe(150)
})
