import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { FromEngine, ToEngine } from './engine-protocol.ts'
import { STARTING } from './engine-state.ts'
import { startEngine } from './start-engine.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The far side of a page: a worker that says and suffers what the test wants. */
class SampleWorker extends EventTarget {
  told: ToEngine[] = []
  isEnded = false
  postMessage(message: ToEngine): void {
    this.told.push(message)
  }
  terminate(): void {
    this.isEnded = true
  }
  say(data: FromEngine): void {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
  crash(): void {
    this.dispatchEvent(new Event('error', { cancelable: true }))
  }
}

function begin() {
  const workers: SampleWorker[] = []
  const createWorker = () => {
    workers.push(new SampleWorker())
    return workers.at(-1) as unknown as Worker
  }
  const hello = { type: 'start', origin: 'http://localhost:1', companionCode: 'c0de' } as const
  const engine = startEngine(createWorker, hello)
  const last = () => workers.at(-1) as SampleWorker
  return { engine, workers, last }
}

const ready: FromEngine = { type: 'state', state: { ...STARTING, phase: 'ready' } }

test('an engine that crashes once is started again at once, and what it was asked is refused', async () => {
  const { engine, workers, last } = begin()
  last().say(ready)
  const asked = engine.lock()
  last().crash()
  await expect(asked).rejects.toMatchObject({ failure: { code: 'internal' } })
  expect(workers).toHaveLength(2)
  expect(workers[0]?.isEnded).toBe(true)
  expect(engine.state.phase).toBe('starting')
})

test('[R-37] an engine that crashes whenever it starts is tried ever more seldom, and the page says so', async () => {
  const { engine, workers, last } = begin()
  for (let second = 0; second < 10 * 60; second += 1) {
    if (!last().isEnded) last().crash()
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(workers.length).toBeLessThan(30)
  expect(engine.state).toMatchObject({ phase: 'failed', failure: { code: 'internal' } })

  // What is asked meanwhile is answered, not kept waiting for an engine that may never come.
  await expect(engine.lock()).rejects.toMatchObject({ failure: { code: 'internal' } })
  while (last().isEnded) await vi.advanceTimersByTimeAsync(1_000)
  last().say(ready)
  expect(engine.state.phase).toBe('ready')
})

test('an engine that crashes after a long time is started again at once, as the first time', async () => {
  const { workers, last } = begin()
  for (let times = 1; times <= 5; times += 1) {
    last().say(ready)
    for (let seconds = 0; seconds < 120; seconds += 5) {
      await vi.advanceTimersByTimeAsync(5_000)
      last().say({ type: 'pong' })
    }
    last().crash()
    expect(workers).toHaveLength(times + 1)
  }
})

test('an engine that falls silent is replaced', async () => {
  const { workers, last } = begin()
  last().say(ready)
  await vi.advanceTimersByTimeAsync(21_000)
  expect(workers).toHaveLength(2)
})

test("the page forgets the companion's code once an engine has taken it", async () => {
  const { workers, last } = begin()
  last().crash()
  expect(last().told[0]).toMatchObject({ type: 'start', companionCode: 'c0de' })
  last().say(ready)
  await vi.advanceTimersByTimeAsync(120_000)
  last().crash()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(workers.length).toBeGreaterThan(2)
  expect(JSON.stringify(last().told)).not.toContain('c0de')
  expect(last().told[0]).toEqual({ type: 'start', origin: 'http://localhost:1' })
})
