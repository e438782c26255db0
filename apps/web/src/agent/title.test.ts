import { expect, test } from 'vitest'
import { titleOf } from './title.ts'

test('uses a short message as the title, on one line and without emphasis', () => {
  expect(titleOf('# What is **the** weather?\nIn Lisbon')).toBe('What is the weather? In Lisbon')
})

test('keeps underscores, backticks and operators', () => {
  expect(titleOf('Rename `user_id` to __init__ in my_file.py')).toBe('Rename `user_id` to __init__ in my_file.py')
  expect(titleOf('Is 2**3**2 > 4 * 5? See #42 in ~/src')).toBe('Is 2**3**2 > 4 * 5? See #42 in ~/src')
})

test('leaves out the fence of a code block', () => {
  expect(titleOf('```python\nsnake_case = 1\n```\nWhy?')).toBe('snake_case = 1 Why?')
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
