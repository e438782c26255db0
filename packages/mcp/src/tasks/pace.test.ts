import { describe, expect, test } from 'vitest'
import { readTask } from '../wire/read-task.ts'
import { type Pace, paceMs } from './pace.ts'

/** The pace, between its shortest and its longest. */
const between = (pace: Partial<Pace>): [number, number] => {
  const all = Array.from({ length: 200 }, () =>
    paceMs({ pollIntervalMs: undefined, minimumMs: 0, looks: 0, quiet: 0, pushed: false, leftMs: Infinity, ...pace }),
  )
  return [Math.min(...all), Math.max(...all)]
}
const hint = (pollIntervalMs: unknown) => readTask({ taskId: 't', status: 'working', pollIntervalMs })?.pollIntervalMs

describe('the pace of looks', () => {
  test.each([
    ['5,000 ms', 5000, 5000],
    ['0 ms: ten times a second at most', 0, 100],
    ['-1, which is nonsense', -1, 1000],
    ['"5", which is nonsense', '5', 1000],
    ['null', null, 1000],
    ['thirty years: five minutes', 1e12, 300_000],
  ])('[K5] a server asks for %s', (_what, asked, ms) => {
    const [shortest, longest] = between({ pollIntervalMs: hint(asked) })
    expect(shortest).toBeGreaterThanOrEqual(ms)
    expect(longest).toBeLessThanOrEqual(ms * 1.1)
  })

  test('[K5] a server that asks for 0 ms is asked once per second in the long run', () => {
    const [shortest, longest] = between({ pollIntervalMs: 0, looks: 50 })
    expect(shortest).toBeGreaterThanOrEqual(1000)
    expect(longest).toBeLessThanOrEqual(1100)
  })

  test('[K5] where nobody asks for a pace, it slows down while nothing happens', () => {
    const waits = [0, 1, 2, 20].map((quiet) => between({ quiet })[0])
    expect(waits.map((ms) => Math.floor(ms / 500))).toEqual([2, 3, 4, 20])
  })

  test('[K5] the app can slow it down only', () => {
    expect(between({ pollIntervalMs: 200, minimumMs: 3000 })[0]).toBeGreaterThanOrEqual(3000)
    expect(between({ pollIntervalMs: 3000, minimumMs: 200 })[0]).toBeGreaterThanOrEqual(3000)
  })

  test('[K5] a slow look comes before the server forgets the task', () => {
    expect(between({ pollIntervalMs: 60_000, leftMs: 20_000 })[1]).toBeLessThan(20_000)
    expect(between({ pollIntervalMs: 60_000, leftMs: -5 })[0]).toBeGreaterThanOrEqual(60_000)
  })

  test('[K7] where changes are told, a look every half minute is enough', () => {
    expect(between({ pollIntervalMs: 200, pushed: true })[0]).toBeGreaterThanOrEqual(30_000)
  })
})
