import { expect, test } from 'vitest'
import { openedBy } from './opened-by.ts'

test('a / opens the prompts where it is the first letter of all', () => {
  expect(openedBy('', '/', 1)).toEqual({ picking: 'prompts', at: 0 })
  expect(openedBy('a', 'a/', 2)).toBeUndefined()
  expect(openedBy('b', '/b', 1)).toBeUndefined()
})

test('an @ opens the resources where it begins a word', () => {
  expect(openedBy('', '@', 1)).toEqual({ picking: 'resources', at: 0 })
  expect(openedBy('read ', 'read @', 6)).toEqual({ picking: 'resources', at: 5 })
  expect(openedBy('a  b', 'a @ b', 3)).toEqual({ picking: 'resources', at: 2 })
})

test('an address of somebody opens nothing, nor does what is pasted or taken away', () => {
  expect(openedBy('ana', 'ana@', 4)).toBeUndefined()
  expect(openedBy('', '@ana', 4)).toBeUndefined()
  expect(openedBy('/a', '/', 1)).toBeUndefined()
  expect(openedBy('@', '@', 1)).toBeUndefined()
})
