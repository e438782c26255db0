import { expect, test } from 'vitest'
import { definitionsTokens, fitsBudget } from './tool-budget.ts'

test('a definition costs a token for four characters of what a model is told', () => {
  const tool = { name: 'note', title: 'Note', description: 'Keeps it', schemaSize: 25 }
  expect(definitionsTokens([tool])).toBe(11)
  expect(definitionsTokens([tool, tool])).toBe(22)
  expect(definitionsTokens([])).toBe(0)
})

test('what fits is bounded by number and by size', () => {
  expect(fitsBudget(64, 12_000)).toBe(true)
  expect(fitsBudget(65, 100)).toBe(false)
  expect(fitsBudget(1, 12_001)).toBe(false)
})
