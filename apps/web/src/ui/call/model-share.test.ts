import { expect, test } from 'vitest'
import type { ToolCall } from '#domain/tool-call.ts'
import { callInTest } from './call-in-test.ts'
import { modelShare, shareInWords, shareOnLine } from './model-share.ts'

const LINE = 'A line of a result that is long.\n'
const resultOf = (text: string, over: Partial<ToolCall> = {}) =>
  callInTest({ status: 'success', content: [{ type: 'text', text }], size: text.length, ...over })
const wordsFor = (call: ToolCall) => {
  const share = modelShare(call)
  return share && shareInWords(share)
}

test('of a result of five megabytes it is said how much the model was given, and that it can look up the rest', () => {
  const call = resultOf(LINE.repeat(160_000))
  expect(wordsFor(call)).toMatch(
    /^The model was given the first and last part, 24 KB of 5\.3 MB; it can look up the rest\. That is about 6,000 tokens, 25% of the room for results; when newer ones need it, this one keeps less\.$/,
  )
  expect(shareOnLine(call)).toBe('the model got 24 KB')
})

test('of a short result it is said that the model was given all, and the line stays as it is', () => {
  expect(wordsFor(resultOf(LINE.repeat(100)))).toMatch(
    /^The model was given all of it, 3\.3 KB\. That is about 800 tokens, 3% of the room for results; /,
  )
  expect(wordsFor(resultOf('Kept.'))).toMatch(/about 2 tokens, less than 1% of the room for results\.$/)
  expect(shareOnLine(resultOf('Kept.'))).toBeUndefined()
})

test('a large picture is no large text', () => {
  const content = [
    { type: 'image', data: 'A'.repeat(1_000_000), mimeType: 'image/png' },
    { type: 'text', text: 'A chart.' },
  ]
  expect(shareOnLine(resultOf('', { content, size: 1_000_000 }))).toBeUndefined()
  expect(modelShare(resultOf('', { content: content.slice(0, 1) }))).toBeUndefined()
})

test('letters of several bytes count with all of them', () => {
  expect(modelShare(resultOf('漢字'.repeat(20_000)))).toMatchObject({ isCut: true, total: 120_000, given: 72_000 })
})

test('a call without a result has no share, and one that failed with words has', () => {
  expect(modelShare(callInTest({ status: 'running' }))).toBeUndefined()
  expect(modelShare(callInTest({ status: 'cancelled' }))).toBeUndefined()
  expect(modelShare(resultOf('The shelf is full.', { status: 'error' }))?.isCut).toBe(false)
})
