import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { Database } from './db.ts'
import { callOf } from './sample-rows.ts'
import { createToolCalls } from './tool-calls.ts'

const message = { id: 'm', conversationId: 'c' }

async function stored(...calls: ReturnType<typeof callOf>[]) {
  const toolCalls = createToolCalls(new Database(crypto.randomUUID()))
  await toolCalls.addCalls(calls)
  return toolCalls
}

test('of two that want to run a call, one may', async () => {
  const call = callOf(message)
  const calls = await stored(call)
  const both = await Promise.all([
    calls.changeCall(call.id, ['pending'], { status: 'running', startedAt: 1 }),
    calls.changeCall(call.id, ['pending'], { status: 'running', startedAt: 2 }),
  ])
  expect(both).toEqual([true, false])
  expect(await calls.call(call.id)).toMatchObject({ status: 'running', startedAt: 1 })
})

test('a call that has ended does not change any more', async () => {
  const call = callOf(message, { status: 'cancelled' })
  const calls = await stored(call)
  expect(await calls.changeCall(call.id, ['running'], { status: 'success' })).toBe(false)
  expect(await calls.call(call.id)).toEqual(call)
})

test('a call that is not there is not made by a change', async () => {
  const calls = await stored()
  expect(await calls.changeCall('nobody', ['pending'], { status: 'running' })).toBe(false)
  expect(await calls.call('nobody')).toBeUndefined()
})

test('a change cannot make a call into another one, and undefined takes a field away', async () => {
  const call = callOf(message, { progress: { progress: 1 } })
  const calls = await stored(call)
  await calls.changeCall(call.id, ['pending'], { id: 'other', progress: undefined })
  const { progress: _, ...rest } = call
  expect(await calls.call(call.id)).toEqual(rest)
  expect(await calls.call('other')).toBeUndefined()
})

test('a change that does not fit is refused by the name of its field', async () => {
  const call = callOf(message)
  const calls = await stored(call)
  await expect(calls.changeCall(call.id, ['pending'], { startedAt: -1 })).rejects.toMatchObject({
    failure: { code: 'bad-input', message: 'The tool call was not saved: its startedAt is too small, the least is 0.' },
  })
})

test('calls are found by their messages', async () => {
  const mine = callOf(message)
  const calls = await stored(mine, callOf({ id: 'other', conversationId: 'c' }))
  expect(await calls.callsOf(['m', 'nobody'])).toEqual([mine])
})
