import { expect, test } from 'vitest'
import { answerOf, mustSeeAll, unanswered, whyNotAllow } from './answer.ts'
import { callInTest } from '#ui/call/call-in-test.ts'

test('what is allowed is the text that was shown, to the last space', () => {
  const text = '{ "a" : 1.0,\t"a":2, "é":"\\u00e9" }'
  expect(answerOf(callInTest({ arguments: text }), unanswered)).toEqual({
    toolCallId: 'call-1',
    decision: 'allow',
    scope: 'once',
    arguments: text,
  })
})

test('after an edit it is the edited text, to the last space', () => {
  const edited = '{\n  "title": "Other"\n}\n'
  expect(answerOf(callInTest(), { ...unanswered, decision: 'always', edited })).toMatchObject({
    scope: 'always',
    arguments: edited,
  })
})

test('a denial carries its reason where there is one, and no arguments', () => {
  expect(answerOf(callInTest(), { ...unanswered, decision: 'deny', reason: ' not now ' })).toEqual({
    toolCallId: 'call-1',
    decision: 'deny',
    reason: 'not now',
  })
  expect(answerOf(callInTest(), { ...unanswered, decision: 'deny', reason: '  ' })).toEqual({
    toolCallId: 'call-1',
    decision: 'deny',
  })
})

test('arguments over 4 KiB cannot be allowed before they were looked at; they can be denied', () => {
  const long = callInTest({ arguments: `{"a":"${'é'.repeat(2_050)}"}` })
  expect(mustSeeAll(long, unanswered)).toBe(true)
  expect(whyNotAllow(long, unanswered)).toMatch(/Look at all/)
  expect(whyNotAllow(long, { ...unanswered, decision: 'deny' })).toBeUndefined()
  expect(whyNotAllow(long, { ...unanswered, hasSeenAll: true })).toBeUndefined()
  expect(mustSeeAll(callInTest({ arguments: `{"a":"${'e'.repeat(4_000)}"}` }), unanswered)).toBe(false)
})

test('changed arguments that are no JSON object cannot be allowed', () => {
  expect(whyNotAllow(callInTest(), { ...unanswered, edited: '{"a":' })).toMatch(/not a JSON object/)
  expect(whyNotAllow(callInTest(), { ...unanswered, edited: '[]' })).toMatch(/not a JSON object/)
  expect(whyNotAllow(callInTest(), { ...unanswered, edited: '{}' })).toBeUndefined()
})
