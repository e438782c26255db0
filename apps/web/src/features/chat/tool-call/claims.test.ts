import { expect, test } from 'vitest'
import { claimsOf } from './claims.ts'

test('what asks for care is a warning', () => {
  expect(claimsOf({ destructive: true, openWorld: true, idempotent: false }).warnings).toEqual([
    'destructive',
    'talks to the outside world',
    'doing it twice is not the same as once',
  ])
})

test('a tool that says it only reads is not warned of as if it wrote', () => {
  expect(claimsOf({ readOnly: true, destructive: true, idempotent: false })).toEqual({
    warnings: [],
    assurances: ['read-only'],
  })
})

test('a hint that was not given is no claim of either kind', () => {
  expect(claimsOf({})).toEqual({ warnings: [], assurances: [] })
})
