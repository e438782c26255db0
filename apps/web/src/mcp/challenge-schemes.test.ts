import { expect, test } from 'vitest'
import { challengeSchemes, wantsPassword } from './challenge-schemes.ts'

test.each([
  [undefined, []],
  ['', []],
  ['Basic', ['basic']],
  ['Basic realm="staff only, Bearer of keys"', ['basic']],
  ['Bearer resource_metadata="https://a.example/x", error="invalid_token"', ['bearer']],
  ['Basic realm="a \\"quoted\\" word", Bearer', ['basic', 'bearer']],
  ['Digest realm=x, nonce=y, Basic realm=z', ['digest', 'basic']],
  ['Negotiate, Basic realm="z"', ['negotiate', 'basic']],
])('reads the schemes of %s', (header, schemes) => {
  expect(challengeSchemes(header)).toEqual(schemes)
})

test('wants a password only where no token would do', () => {
  expect(wantsPassword('Basic realm="x"')).toBe(true)
  expect(wantsPassword('Basic realm="x", Bearer')).toBe(false)
  expect(wantsPassword(undefined)).toBe(false)
})
