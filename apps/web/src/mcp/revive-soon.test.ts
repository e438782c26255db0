import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRevivals } from './revive-soon.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('[R-26] however often the network flaps, each server is looked at once, within a second, and not while it is away', async () => {
  const looked: string[] = []
  const revivals = createRevivals(async (serverId) => void looked.push(serverId))
  for (let flaps = 0; flaps < 10; flaps += 1) {
    revivals.begin(['a', 'b', 'c'])
    revivals.stop()
  }
  await vi.advanceTimersByTimeAsync(5_000)
  expect(looked).toEqual([])
  for (let times = 0; times < 10; times += 1) revivals.begin(['a', 'b', 'c'])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(looked.toSorted()).toEqual(['a', 'b', 'c'])
})

test('[R-26] one that is being looked at is not looked at beside it', async () => {
  let end!: () => void
  const revive = vi.fn(() => new Promise<void>((resolve) => (end = resolve)))
  const revivals = createRevivals(revive)
  revivals.begin(['a'])
  await vi.advanceTimersByTimeAsync(1_000)
  revivals.begin(['a'])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(revive).toHaveBeenCalledTimes(1)
  end()
  await vi.advanceTimersByTimeAsync(0)
  revivals.begin(['a'])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(revive).toHaveBeenCalledTimes(2)
})
