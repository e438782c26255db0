import { expect, test } from 'vitest'
import type { Message } from './message.ts'
import { nextStep } from './next-step.ts'
import type { Approval, ToolCall } from './tool-call.ts'

const message = (change: Partial<Message> = {}) =>
  ({ role: 'assistant', status: 'done', parts: [], ...change }) as unknown as Message
let count = 0
const call = (status: ToolCall['status'], state?: Approval['state'], change: Partial<ToolCall> = {}) =>
  ({ id: `call-${(count += 1)}`, status, ...(state ? { approval: { state, at: 0 } } : {}), ...change }) as ToolCall

test('an empty conversation has no next step', () => {
  expect(nextStep(undefined, [])).toBe('done')
})

test('a message of the user goes to the model', () => {
  expect(nextStep(message({ role: 'user' }), [])).toBe('call-model')
})

test('an answer without calls ends the turn', () => {
  expect(nextStep(message(), [])).toBe('done')
})

test('a message that was stopped or failed ends the turn, until the user goes on', () => {
  for (const status of ['stopped', 'failed'] as const) {
    expect(nextStep(message({ status }), [])).toBe('done')
    expect(nextStep(message({ status }), [], true)).toBe('call-model')
  }
  expect(nextStep(message({ status: 'streaming' }), [], true)).toBe('done')
})

test('nothing runs while one question is open', () => {
  expect(nextStep(message(), [call('pending', 'approved'), call('pending', 'requested')])).toBe('wait')
  expect(nextStep(message(), [call('success'), call('pending', 'requested')])).toBe('wait')
})

test('calls that are not judged yet, or approved, are run', () => {
  expect(nextStep(message(), [call('pending')])).toBe('run-tools')
  expect(nextStep(message(), [call('cancelled', 'denied'), call('pending', 'approved')])).toBe('run-tools')
})

test('the model waits for a call that runs', () => {
  expect(nextStep(message(), [call('success'), call('running', 'approved')])).toBe('wait')
})

test('every call that has ended, however, goes to the model', () => {
  expect(nextStep(message(), [call('success'), call('error'), call('cancelled')])).toBe('call-model')
})

test('an unknown outcome waits for the user, who runs it again or goes on', () => {
  const lost = call('unknown')
  expect(nextStep(message(), [lost, call('success')])).toBe('wait')
  expect(nextStep(message(), [lost], true)).toBe('call-model')
  expect(nextStep(message(), [lost, call('success', 'approved', { repeats: lost.id })])).toBe('call-model')
})

test('a call that goes on as a task is not waited for', () => {
  expect(nextStep(message(), [call('task')])).toBe('call-model')
  expect(nextStep(message(), [call('task'), call('running')])).toBe('wait')
})

test('the end of a task goes to the model, and one that was lost to the user first', () => {
  const ending = message({ role: 'user', parts: [{ type: 'task', toolCallId: 'a' }] })
  expect(nextStep(ending, [call('success')])).toBe('call-model')
  expect(nextStep(ending, [call('unknown')])).toBe('wait')
  expect(nextStep(ending, [call('unknown')], true)).toBe('call-model')
})
