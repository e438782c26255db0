import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openDatabase } from '#storage/open.ts'
import { mendPageDatabase, onPageDatabase, pageDatabase, setPageDatabase } from './page-database.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => {
  setPageDatabase()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('[R-37] a page that could not open what its engine has tries again, until it can', async () => {
  const engine = await openDatabase(() => undefined)
  const opening = vi.spyOn(IDBFactory.prototype, 'open')
  for (const _ of [1, 2]) {
    opening.mockImplementationOnce(() => {
      throw new DOMException('Not now', 'SecurityError')
    })
  }
  const told = vi.fn()
  onPageDatabase(told)
  mendPageDatabase()
  await expect(pageDatabase()).rejects.toThrow()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(told).toHaveBeenCalledTimes(1)
  await expect(pageDatabase()).rejects.toThrow()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(told).toHaveBeenCalledTimes(2)
  expect((await pageDatabase()).isOpen()).toBe(true)
  engine.close()
})
