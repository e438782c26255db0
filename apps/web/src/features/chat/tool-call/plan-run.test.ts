import { expect, test } from 'vitest'
import { callInTest } from '#ui/call/call-in-test.ts'
import { planRun } from './plan-run.ts'

const done = (id: string, content: Record<string, unknown>[] = []) => callInTest({ id, status: 'success', content })
const shape = (calls: Parameters<typeof planRun>[0]) =>
  planRun(calls).map((item) =>
    item.type === 'one' ? item.call.id : `${item.type}(${item.calls.map(({ id }) => id).join(' ')})`,
  )

test('calls that ask are one card, after everything else', () => {
  expect(shape([callInTest({ id: 'a' }), done('b'), callInTest({ id: 'c' })])).toEqual(['b', 'ask(a c)'])
})

test('calls that went well in a row are one line; one alone is itself', () => {
  expect(shape([done('a'), done('b'), callInTest({ id: 'x', status: 'error' }), done('c')])).toEqual([
    'group(a b)',
    'x',
    'c',
  ])
})

test('a picture is not hidden in a group', () => {
  expect(shape([done('a'), done('p', [{ type: 'image' }]), done('b')])).toEqual(['a', 'p', 'b'])
})

test('a call that runs, failed, was denied or whose outcome is unknown keeps its own line', () => {
  const statuses = ['running', 'error', 'cancelled', 'unknown'] as const
  expect(shape(statuses.map((status) => callInTest({ id: status, status })))).toEqual([...statuses])
})
