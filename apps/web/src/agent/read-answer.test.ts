import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { Failed } from '#domain/failure.ts'
import { createAnswer } from './read-answer.ts'

function answerTo(...parts: LanguageModelV4StreamPart[]) {
  let count = 0
  const answer = createAnswer(() => `id-${(count += 1)}`)
  for (const part of parts) answer.take(part)
  return answer
}

test('text and reasoning are kept in the order in which they came', () => {
  const answer = answerTo(
    { type: 'reasoning-start', id: 'r', providerMetadata: { p: { item: 'i' } } },
    { type: 'reasoning-delta', id: 'r', delta: 'Hm' },
    { type: 'reasoning-end', id: 'r', providerMetadata: { p: { signature: 's' } } },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'Yes' },
    { type: 'text-delta', id: 't', delta: '.' },
    { type: 'text-end', id: 't' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'More' },
  )
  expect(answer.parts()).toEqual([
    { type: 'reasoning', text: 'Hm', metadata: { p: { item: 'i', signature: 's' } } },
    { type: 'text', text: 'Yes.' },
    { type: 'text', text: 'More' },
  ])
})

test('a call is arriving until the answer has ended, and is no part of what was said so far', () => {
  const answer = answerTo(
    { type: 'tool-input-start', id: 'c', toolName: 'look' },
    { type: 'tool-input-delta', id: 'c', delta: '{"a"' },
  )
  expect(answer.hasBegun()).toBe(true)
  expect(answer.soFar()).toEqual({ parts: [], arriving: [{ modelName: 'look', characters: 4 }] })
  answer.take({ type: 'tool-call', toolCallId: 'c', toolName: 'look', input: '{"a":1}' })
  expect(answer.soFar()).toEqual({ parts: [], arriving: [{ modelName: 'look', characters: 7 }] })
  expect(answer.calls()).toMatchObject([{ part: { toolCallId: 'id-1', providerCallId: 'c' }, input: '{"a":1}' }])
})

test('a call that the provider runs itself is none of ours, nor is what we do not know', () => {
  const answer = answerTo(
    { type: 'tool-call', toolCallId: 'c', toolName: 'search', input: '{}', providerExecuted: true },
    { type: 'custom', kind: 'x.y' } as LanguageModelV4StreamPart,
    { type: 'ping' },
  )
  expect(answer.calls()).toEqual([])
  expect(answer.parts()).toEqual([])
  expect(answer.hasBegun()).toBe(false)
})

test('[I5] an answer without end is cut off, whatever it is made of', () => {
  const endless: LanguageModelV4StreamPart[][] = [
    [{ type: 'text-delta', id: 't', delta: 'x'.repeat(10_000) }],
    [{ type: 'reasoning-start', id: 'r' }],
    [{ type: 'tool-input-start', id: 'c', toolName: 'look' }],
    [{ type: 'tool-input-delta', id: 'c', delta: 'x'.repeat(10_000) }],
  ]
  for (const parts of endless) {
    const answer = answerTo()
    expect(() => {
      for (let times = 0; times < 20_000; times += 1) for (const part of parts) answer.take(part)
    }).toThrow(Failed)
  }
})

test('what the service counts is kept where it counts', () => {
  const usage = (total: number | undefined) => ({
    inputTokens: { total, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total, text: undefined, reasoning: undefined },
  })
  const finished = (total: number | undefined) =>
    answerTo({ type: 'finish', finishReason: { unified: 'stop', raw: 'x' }, usage: usage(total) }).finish?.usage
  expect(finished(7)).toEqual({ inputTokens: 7, outputTokens: 7 })
  expect(finished(undefined)).toBeUndefined()
  expect(finished(Number.NaN)).toBeUndefined()
})
