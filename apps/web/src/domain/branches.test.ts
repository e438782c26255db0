import { expect, test } from 'vitest'
import { branchAt, fork, stretches, variantsAt } from './branches.ts'
import type { Branch } from './conversation.ts'

const first = { branches: [{ id: 'a', parentId: null, from: 0 }] as Branch[], branchId: 'a' }
const show = <T extends { branches: Branch[] }>(conversation: T, branchId: string) => ({ ...conversation, branchId })

test('a conversation that was never edited is one stretch', () => {
  expect(stretches(first)).toEqual([{ branchId: 'a', from: 0, to: Number.POSITIVE_INFINITY }])
})

test('an edit leaves its parent just before the edited message, and is shown', () => {
  const edited = fork(first, 2, 'b')
  expect(edited.branchId).toBe('b')
  expect(stretches(edited)).toEqual([
    { branchId: 'a', from: 0, to: 2 },
    { branchId: 'b', from: 2, to: Number.POSITIVE_INFINITY },
  ])
  expect([0, 1, 2, 7].map((order) => branchAt(edited, order))).toEqual(['a', 'a', 'b', 'b'])
})

test('an edit of the first message has no parent', () => {
  const edited = fork(first, 0, 'b')
  expect(stretches(edited)).toEqual([{ branchId: 'b', from: 0, to: Number.POSITIVE_INFINITY }])
  expect(variantsAt(edited, 0)).toEqual(['a', 'b'])
})

test('the versions of a message are found from each of them, oldest first', () => {
  const thrice = fork(fork(first, 2, 'b'), 2, 'c')
  for (const shown of ['a', 'b', 'c']) expect(variantsAt(show(thrice, shown), 2)).toEqual(['a', 'b', 'c'])
})

test('a message that was never edited has one version', () => {
  const edited = fork(first, 2, 'b')
  expect(variantsAt(edited, 1)).toEqual(['a'])
  expect(variantsAt(edited, 3)).toEqual(['b'])
})

test('an edit on a branch of a branch shows all three', () => {
  const deep = fork(fork(first, 2, 'b'), 4, 'c')
  expect(stretches(deep).map(({ branchId, from, to }) => [branchId, from, to])).toEqual([
    ['a', 0, 2],
    ['b', 2, 4],
    ['c', 4, Number.POSITIVE_INFINITY],
  ])
  expect(variantsAt(deep, 4)).toEqual(['b', 'c'])
  expect(variantsAt(deep, 2)).toEqual(['a', 'b'])
})

test('an earlier edit while a later branch is shown leaves from what is shown there', () => {
  const early = fork(fork(first, 4, 'b'), 1, 'c')
  expect(stretches(early).map(({ branchId }) => branchId)).toEqual(['a', 'c'])
  expect(variantsAt(show(early, 'b'), 4)).toEqual(['a', 'b'])
})

test('branches that are each other’s parents, from a broken file, are not followed for ever', () => {
  const broken = {
    branches: [
      { id: 'a', parentId: 'b', from: 1 },
      { id: 'b', parentId: 'a', from: 2 },
    ],
    branchId: 'a',
  }
  expect(stretches(broken).length).toBeLessThanOrEqual(2)
  expect(stretches({ branches: [], branchId: 'gone' })).toEqual([])
  expect(variantsAt({ branches: [], branchId: 'gone' }, 0)).toEqual([])
})

test('whatever is forked where, each place is shown once and the last branch is the shown one', () => {
  let seed = 7
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 100; round += 1) {
    let conversation = { ...first }
    for (let edit = 0; edit < 8; edit += 1) {
      const shown = conversation.branches[random(conversation.branches.length)]?.id ?? 'a'
      conversation = fork(show(conversation, shown), random(10), `b${edit}`)
    }
    const found = stretches(conversation)
    expect(found[0]?.from).toBe(0)
    expect(found.at(-1)?.branchId).toBe(conversation.branchId)
    for (const [index, { to }] of found.entries()) expect(found[index + 1]?.from ?? Number.POSITIVE_INFINITY).toBe(to)
    for (let order = 0; order < 12; order += 1)
      expect(variantsAt(conversation, order)).toContain(branchAt(conversation, order))
  }
})
