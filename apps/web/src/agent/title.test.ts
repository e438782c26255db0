import { expect, test } from 'vitest'
import { titleOf } from './title.ts'

test('a short message is its own title, on one line and without marks', () => {
  expect(titleOf('What is **the** weather?\nIn `Lisbon`')).toBe('What is the weather? In Lisbon')
})

test('a long one is cut between words, and says so', () => {
  const title = titleOf('Please write a long and detailed report about the weather, of all cities')
  expect(title).toBe('Please write a long and detailed report about the…')
})

test('a word without end is cut inside, never inside a character', () => {
  expect(titleOf('😀'.repeat(80))).toBe(`${'😀'.repeat(50)}…`)
})

test('a message of marks alone still has a title', () => {
  expect(titleOf(' ** ')).toBe('New chat')
})
