import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLatestWrite } from './latest-write.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the first value is written at once, then the latest once per interval', async () => {
  const written: number[] = []
  const write = createLatestWrite(async (value: number) => void written.push(value), 80)
  for (let value = 0; value < 10; value += 1) write.push(value)
  await vi.advanceTimersByTimeAsync(0)
  expect(written).toEqual([0])
  await vi.advanceTimersByTimeAsync(79)
  expect(written).toEqual([0])
  await vi.advanceTimersByTimeAsync(1)
  expect(written).toEqual([0, 9])
  await vi.advanceTimersByTimeAsync(500)
  write.push(10)
  expect(written).toEqual([0, 9, 10])
})

test('a slow write is not overtaken by the next', async () => {
  let running = 0
  let most = 0
  const write = createLatestWrite(async () => {
    most = Math.max(most, (running += 1))
    await new Promise((resolve) => setTimeout(resolve, 500))
    running -= 1
  }, 10)
  for (let value = 0; value < 50; value += 1) {
    write.push(value)
    await vi.advanceTimersByTimeAsync(30)
  }
  expect(most).toBe(1)
})

test('after the end nothing is written any more, and the write under way is waited for', async () => {
  const written: string[] = []
  const write = createLatestWrite(async (value: string) => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    written.push(value)
  }, 10)
  write.push('first')
  write.push('second')
  const ended = write.end()
  await vi.advanceTimersByTimeAsync(20)
  await ended
  write.push('third')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(written).toEqual(['first'])
})

test('a write that fails stops neither the next nor the end', async () => {
  let times = 0
  const write = createLatestWrite(async () => {
    times += 1
    throw new Error('full')
  }, 10)
  write.push(1)
  write.push(2)
  await vi.advanceTimersByTimeAsync(50)
  await write.end()
  expect(times).toBe(2)
})
