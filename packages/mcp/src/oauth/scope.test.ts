import { expect, it } from 'vitest'
import { covers, unionOf } from './scope.ts'

it.each([
  [['a b', 'b c'], 'a b c'],
  [[undefined, 'a'], 'a'],
  [['', '  '], undefined],
  [[undefined, undefined], undefined],
  [[' b  a ', 'a\tb'], 'b a'],
])('[A1.12] the union of %j is %j', (scopes, union) => {
  expect(unionOf(...scopes)).toBe(union)
})

it.each([
  ['a b', 'b a', true],
  ['a', 'a b', false],
  ['ab', 'a', false],
  [undefined, 'a', false],
  ['a', undefined, true],
  [undefined, undefined, true],
])('[A1.12] %j covers %j: %j', (granted, wanted, covered) => {
  expect(covers(granted, wanted)).toBe(covered)
})
