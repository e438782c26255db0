import { expect, test } from 'vitest'
import { areAllTrusted } from './are-all-trusted.ts'

const trusted = { id: 'a', trusted: true }
const untrusted = { id: 'b', trusted: false }

test.each([
  ['trusted by now', ['a'], true],
  ['partly untrusted', ['a', 'b'], false],
  ['removed in the meantime', ['a', 'removed'], false],
  ['unknown', [], false],
])('servers that are %s', (_, ids, expected) => {
  expect(areAllTrusted(ids, [trusted, untrusted])).toBe(expected)
})
