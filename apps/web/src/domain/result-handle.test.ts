import { expect, test } from 'vitest'
import { handleOf } from './result-handle.ts'

test('a handle is short, and the same for the same call', () => {
  const id = crypto.randomUUID()
  expect(handleOf(id)).toBe(handleOf(id))
  expect(handleOf(id)).toMatch(/^r_[0-9a-z]{1,11}$/)
})

test('calls that differ in a letter, or were made again, have handles of their own', () => {
  const ids = Array.from({ length: 20_000 }, (_, at) => `call-${at}`)
  const handles = new Set([...ids, ...ids.map((id) => `${id}:again`)].map(handleOf))
  expect(handles.size).toBe(40_000)
})
