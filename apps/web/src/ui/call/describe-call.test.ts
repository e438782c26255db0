import { expect, test } from 'vitest'
import type { ToolCall } from '#domain/tool-call.ts'
import { callInTest } from './call-in-test.ts'
import { describeCall, nameOf, spanOf } from './describe-call.ts'

const lineOf = (over: Partial<ToolCall>) => {
  const { state, facts } = describeCall(callInTest({ startedAt: 1_000, completedAt: 1_800, ...over }))
  return [state, ...facts].join(' · ')
}
const approved = (over: object) => ({ state: 'approved' as const, at: 1, ...over })

test.each<[string, Partial<ToolCall>]>([
  [
    'done · 0.8 s · 2.1 KB · allowed once',
    { status: 'success', size: 2_100, approval: approved({ by: 'user', scope: 'once' }) },
  ],
  [
    'done · 0.8 s · allowed in this chat',
    { status: 'success', approval: approved({ by: 'grant', scope: 'conversation' }) },
  ],
  ['done · 0.8 s · allowed for this GPT', { status: 'success', approval: approved({ by: 'user', scope: 'gpt' }) }],
  ['done · 0.8 s · always allowed', { status: 'success', approval: approved({ by: 'grant', scope: 'always' }) }],
  ['done · 0.8 s · allowed by policy', { status: 'success', approval: approved({ by: 'policy' }) }],
  [
    'done · 0.8 s · allowed once · changed by you',
    { status: 'success', proposedArguments: '{}', approval: approved({ by: 'user' }) },
  ],
  ['done · 0.8 s · requested by app', { status: 'success', app: 'call-1' }],
  ['failed · failed · 0.8 s', { status: 'error' }],
  ['cancelled · cancelled · 0.8 s · allowed by policy', { status: 'cancelled', approval: approved({ by: 'policy' }) }],
  ['unknown · outcome unknown · 0.8 s', { status: 'unknown' }],
])('a call is one line: %s', (line, over) => {
  expect(lineOf(over)).toBe(line)
})

test('a denied call is not called cancelled, and has no time', () => {
  const { state, facts } = describeCall(callInTest({ status: 'cancelled', approval: { state: 'denied', at: 1 } }))
  expect([state, ...facts]).toEqual(['denied', 'denied'])
})

test('states differ in shape and in word, not only in colour', () => {
  const statuses = ['pending', 'running', 'success', 'error', 'cancelled', 'unknown'] as const
  const all = statuses.map((status) => describeCall(callInTest({ status })))
  expect(new Set(all.map(({ icon }) => icon)).size).toBe(statuses.length)
  expect(new Set(all.map(({ word }) => word)).size).toBe(statuses.length)
})

test('a tool without a title goes by its name', () => {
  expect(nameOf({ toolName: 'search', title: '' })).toBe('search')
})

test('calls side by side took as long as from the first start to the last end', () => {
  const calls = [callInTest({ startedAt: 100, completedAt: 500 }), callInTest({ startedAt: 200, completedAt: 3_300 })]
  expect(spanOf(calls)).toBe(3_200)
  expect(spanOf([callInTest()])).toBe(0)
})
