import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Change, Rows } from '#storage/changes.ts'
import type { FromEngine, ToEngine } from './engine-protocol.ts'
import { STARTING } from './engine-state.ts'
import type { PageHalf } from './page-half.ts'
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

/** What the page keeps of an engine without a database: here only the rows of puts. */
class SampleHalf implements PageHalf {
  readyWith: boolean[] = []
  forgotten = 0
  whenTaken = () => {}
  private kept: Rows = {}
  async take(changes: readonly Change[]): Promise<void> {
    await Promise.resolve()
    for (const change of changes) if (change.type === 'put') this.kept[change.table] = change.rows
    this.whenTaken()
  }
  async rows(): Promise<Rows> {
    return this.kept
  }
  ready(isInMemory: boolean): void {
    this.readyWith.push(isInMemory)
  }
  forget(): void {
    this.forgotten += 1
  }
}

function begin() {
  const workers: SampleWorker[] = []
  const createWorker = () => {
    workers.push(new SampleWorker())
    return workers.at(-1) as unknown as Worker
  }
  const hello = { type: 'start', origin: 'http://localhost:1', companionCode: 'c0de' } as const
  const half = new SampleHalf()
  const engine = startEngine(createWorker, hello, half)
  const last = () => workers.at(-1) as SampleWorker
  return { engine, workers, last, half }
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

test('[R-35] a database that the page has lost is opened again for a new engine, not for one that still knows the old', () => {
  const { last, half } = begin()
  last().say(ready)
  expect(half.readyWith).toEqual([false])
  last().say(ready)
  expect(half.readyWith).toEqual([false])
  last().crash()
  last().say(ready)
  expect(half.readyWith).toEqual([false, false])
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

test('an engine is not blamed for a page that stood still', async () => {
  const { workers, last } = begin()
  last().say(ready)
  await vi.advanceTimersByTimeAsync(5_000)
  last().say({ type: 'pong' })
  // Nothing of the page runs meanwhile, its timers neither.
  vi.setSystemTime(Date.now() + 18_000)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(workers).toHaveLength(1)
})

test('an engine that takes long to load is waited for, not for ever', async () => {
  const { workers, last } = begin()
  await vi.advanceTimersByTimeAsync(45_000)
  expect(workers).toHaveLength(1)
  last().say(ready)
  await vi.advanceTimersByTimeAsync(21_000)
  expect(workers).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(66_000)
  expect(workers).toHaveLength(3)
})

test('who begins anew while a start is being waited for has one engine', async () => {
  const { engine, workers, last } = begin()
  last().crash()
  last().crash()
  engine.restart({ anew: true })
  last().say(ready)
  const begun = workers.length
  await vi.advanceTimersByTimeAsync(3_000)
  expect(workers).toHaveLength(begun)
  expect(workers.filter(({ isEnded }) => !isEnded)).toHaveLength(1)
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

const WHY = { code: 'storage-denied', message: 'No.' } as const
const inMemory: FromEngine = {
  type: 'state',
  state: { ...STARTING, phase: 'ready', storage: { state: 'memory', failure: WHY } },
}
const put: FromEngine = { type: 'changes', changes: [{ table: 'gpts', type: 'put', rows: [{ id: 'one' }] }] }

test('[R-35] what an engine without a database answers is heard after what it did, as with a database', async () => {
  const { engine, last, half } = begin()
  const asked = engine.lock()
  const order: string[] = []
  void asked.then(() => order.push('answered'))
  half.whenTaken = () => order.push('taken')
  last().say(put)
  last().say({ type: 'answer', id: 1, value: undefined })
  last().say(inMemory)
  expect(engine.state.phase).toBe('starting')
  await asked
  await vi.waitFor(() => expect(engine.state.storage.state).toBe('memory'), 60_000)
  expect(order).toEqual(['taken', 'answered'])
  expect(half.readyWith).toEqual([true])
})

test('[R-35] an engine without a database that crashes goes on with what the page still has', async () => {
  const { engine, workers, last } = begin()
  last().say(put)
  last().say(inMemory)
  await vi.waitFor(() => expect(engine.state.phase).toBe('ready'), 60_000)
  last().crash()
  expect(engine.state).toMatchObject({ phase: 'starting', storage: { state: 'memory' } })
  await vi.waitFor(() => expect(workers).toHaveLength(2), 60_000)
  expect(last().told[0]).toMatchObject({ memory: { why: WHY, begin: { gpts: [{ id: 'one' }] } } })
})

test('[R-33] an engine is ended and begun as wished: in memory, with the database again, or anew, which is wished once', async () => {
  const { engine, workers, last, half } = begin()
  last().say(ready)
  const asked = engine.lock()
  engine.restart({ memory: { why: WHY, begin: 'stored' } })
  await expect(asked).rejects.toMatchObject({ failure: { code: 'internal' } })
  expect(workers[0]?.isEnded).toBe(true)
  expect(last().told[0]).toMatchObject({ memory: { begin: 'stored' } })
  expect(half.forgotten).toBe(0)
  engine.restart({ anew: true })
  expect(last().told[0]).toEqual({ type: 'start', origin: 'http://localhost:1', anew: true })
  expect(half.forgotten).toBe(1)
  last().crash()
  expect(last().told[0]).toEqual({ type: 'start', origin: 'http://localhost:1' })
})
