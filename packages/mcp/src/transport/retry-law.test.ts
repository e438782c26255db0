import { afterEach, expect, it, vi } from 'vitest'
import { resolveOptions } from './http-options.ts'
import { backoffMs } from './retry-law.ts'

afterEach(() => vi.restoreAllMocks())

const boundsOf = (backoff: Parameters<typeof backoffMs>[1]): number[] => {
  vi.spyOn(Math, 'random').mockReturnValue(1)
  return [0, 1, 2, 3].map((attempt) => backoffMs(attempt, backoff))
}

it('[T16] grows the bound of the wait as reconnectionOptions say', () => {
  const { reconnectionOptions, backoff, reconnects } = resolveOptions({
    url: 'http://localhost/mcp',
    reconnectionOptions: {
      maxRetries: 2,
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 2000,
      reconnectionDelayGrowFactor: 1.5,
    },
  })
  expect(boundsOf(reconnectionOptions)).toEqual([1000, 1500, 2000, 2000])
  expect(boundsOf(backoff)).toEqual([250, 500, 1000, 2000])
  expect(reconnects).toBe(2)
})
