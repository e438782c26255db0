import { expect, test } from 'vitest'
import { excerptOf } from './excerpt.ts'

const LINES = Array.from({ length: 2_000 }, (_, at) => `Line ${at} has a few words, and an end.`).join('\n')

test('an excerpt is the beginning and the end, together no longer than they may be', () => {
  const { head, tail, from, to } = excerptOf(LINES, 1_000)
  expect(LINES.startsWith(head)).toBe(true)
  expect(LINES.endsWith(tail)).toBe(true)
  expect(head + LINES.slice(from, to) + tail).toBe(LINES)
  expect(head.length + tail.length).toBeLessThanOrEqual(1_000)
  expect(head.length + tail.length).toBeGreaterThanOrEqual(900)
})

test('it is cut between lines where there are some nearby', () => {
  const { head, tail } = excerptOf(LINES, 1_000)
  expect(head).toMatch(/an end\.\n$/)
  expect(tail).toMatch(/^Line \d+ has/)
})

test('in one long line it is cut between entries or words', () => {
  const json = JSON.stringify(Array.from({ length: 500 }, (_, at) => ({ name: `n${at}`, value: at })))
  expect(excerptOf(json, 1_000).head).toMatch(/\},$/)
  expect(excerptOf(json, 1_000).tail).toMatch(/^\{"name"/)
  expect(excerptOf('word '.repeat(1_000), 1_000).head).toMatch(/^(word )+$/)
})

test('no character is cut in two, wherever the cut falls', () => {
  for (let most = 100; most < 108; most += 1) {
    const { head, tail } = excerptOf('😀'.repeat(300), most)
    expect(head + tail).toMatch(/^(😀)+$/u)
    expect(head.length + tail.length).toBeLessThanOrEqual(most)
  }
})
