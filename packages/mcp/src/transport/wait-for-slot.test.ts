import { afterEach, expect, it, vi } from 'vitest'
import { waitForSlot } from './wait-for-slot.ts'

const origin = 'http://127.0.0.1'
const idle = new AbortController().signal
const noWait = (): void => expect.unreachable('has to wait')

afterEach(() => {
  vi.unstubAllGlobals()
  vi.doUnmock('./stream-slots.ts')
})

it('[B12] in a page the fourth stream waits', async () => {
  vi.stubGlobal('location', new URL(origin))
  const release = await waitForSlot(origin, idle, noWait)
  for (let n = 1; n < 3; n++) await waitForSlot(origin, idle, noWait)
  const onwait = vi.fn(release)
  await waitForSlot(origin, idle, onwait)
  expect(onwait).toHaveBeenCalledOnce()
})

it('[B12] outside of a page nothing is counted', async () => {
  for (let n = 0; n < 4; n++) await expect(waitForSlot(origin, idle, noWait)).resolves.toBeTypeOf('function')
})

it('[B12] a stream that cannot be counted, because that part does not load, stands all the same', async () => {
  vi.stubGlobal('location', new URL(origin))
  vi.doMock('./stream-slots.ts', () => {
    throw new Error('404')
  })
  vi.resetModules()
  for (let n = 0; n < 4; n++) await expect(waitForSlot(origin, idle, noWait)).resolves.toBeTypeOf('function')
})
