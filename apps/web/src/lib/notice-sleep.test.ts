import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noticeSleep } from './notice-sleep.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('[R-24] a gap of over 30 seconds is a sleep, told once; a busy moment is none', () => {
  const clock = { ms: 0 }
  const woken = vi.fn()
  const stop = noticeSleep(woken, () => clock.ms)
  const live = (ms: number) => {
    clock.ms += ms
    vi.advanceTimersToNextTimer()
  }
  for (let looks = 0; looks < 10; looks += 1) live(5_000)
  live(29_000)
  expect(woken).not.toHaveBeenCalled()
  live(8 * 3_600_000)
  expect(woken).toHaveBeenCalledTimes(1)
  live(5_000)
  live(5_000)
  expect(woken).toHaveBeenCalledTimes(1)
  stop()
  expect(vi.getTimerCount()).toBe(0)
})

test('[R-23] a clock that is set back is no sleep', () => {
  const clock = { ms: 1e12 }
  const woken = vi.fn()
  const stop = noticeSleep(woken, () => clock.ms)
  clock.ms -= 86_400_000
  vi.advanceTimersToNextTimer()
  clock.ms += 5_000
  vi.advanceTimersToNextTimer()
  expect(woken).not.toHaveBeenCalled()
  stop()
})
