import { expect, it } from 'vitest'
import { now } from './clock.ts'
import { isExpiring } from './token.ts'

const tokens = (expires_in: unknown, ageMs: number) =>
  isExpiring({
    access_token: 'x',
    token_type: 'Bearer',
    expires_in: expires_in as number,
    obtained_at: now() - ageMs,
  })

it.each([
  [3600, 0, false],
  [3600, 3_560_000, false],
  [3600, 3_575_000, true],
  [3600, 9_000_000, true],
  [60, 20_000, false],
  [60, 31_000, true],
  [10, 3000, false],
  [10, 6000, true],
  [3600, -86_400_000, false],
  [undefined, 1e12, false],
  ['3600', 1e12, false],
  [Number.NaN, 1e12, false],
])('[A1.16] [R-23] a token of %j s that is %i ms old is renewed: %j', (expiresIn, ageMs, expected) => {
  expect(tokens(expiresIn, ageMs)).toBe(expected)
})

it('[A1.16] a token of which nobody knows when it came is not renewed', () => {
  expect(isExpiring({ access_token: 'x', token_type: 'Bearer', expires_in: 1 })).toBe(false)
})
