import { expect, test } from 'vitest'
import { createTabLocks } from './tab-locks.ts'

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}

test('one holds a lock at a time, and who asks whether it is free is told', async () => {
  const locks = createTabLocks()
  const first = gate()
  const order: string[] = []
  const held = locks.request('a', {}, async () => {
    await first.opened
    order.push('first')
  })
  const waits = locks.request('a', async () => void order.push('second'))
  expect(await locks.request('a', { ifAvailable: true }, async (lock) => lock)).toBeNull()
  expect(await locks.request('b', { ifAvailable: true }, async (lock) => lock)).not.toBeNull()
  first.open()
  await Promise.all([held, waits])
  expect(order).toEqual(['first', 'second'])
  expect(await locks.request('a', { ifAvailable: true }, async (lock) => lock)).not.toBeNull()
})

test('a holder that fails lets go, and one that gave up while waiting never runs', async () => {
  const locks = createTabLocks()
  const first = gate()
  const held = locks.request('a', {}, async () => {
    await first.opened
    throw new Error('no luck')
  })
  const abort = new AbortController()
  let hasRun = false
  const gaveUp = locks.request('a', { signal: abort.signal }, async () => void (hasRun = true))
  const third = locks.request('a', {}, async () => 'third')
  abort.abort(new Error('enough'))
  await expect(gaveUp).rejects.toThrow('enough')
  first.open()
  await expect(held).rejects.toThrow('no luck')
  expect(await third).toBe('third')
  expect(hasRun).toBe(false)
})
