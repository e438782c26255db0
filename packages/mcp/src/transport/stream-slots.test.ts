import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { takeStreamSlot } from './stream-slots.ts'

type Callback = (lock: object | null) => unknown

/** The locks of one browser, as far as slots use them; `held` and `queued` are what `query()` would tell. */
class FakeLocks {
  readonly held = new Set<string>()
  readonly queued: { name: string; grant: () => void }[] = []

  async request(
    name: string,
    { ifAvailable, signal }: { ifAvailable?: boolean; signal?: AbortSignal },
    callback: Callback,
  ): Promise<unknown> {
    signal?.throwIfAborted()
    await Promise.resolve()
    if (this.held.has(name)) {
      if (ifAvailable) return callback(null)
      await new Promise<void>((grant, reject) => {
        const waiting = { name, grant }
        this.queued.push(waiting)
        signal?.addEventListener('abort', () => {
          const place = this.queued.indexOf(waiting)
          if (place < 0) return
          this.queued.splice(place, 1)
          reject(signal.reason as Error)
        })
      })
    }
    this.held.add(name)
    try {
      return await callback({ name })
    } finally {
      this.#free(name)
    }
  }

  #free(name: string): void {
    const place = this.queued.findIndex((waiting) => waiting.name === name)
    if (place < 0) this.held.delete(name)
    else this.queued.splice(place, 1)[0]!.grant()
  }
}

let origin = ''
let count = 0
const idle = new AbortController().signal
const noWait = (): void => expect.unreachable('has to wait')

beforeEach(() => {
  // Whatever a test leaves behind is of its own origin.
  origin = `http://127.0.0.1:${++count}`
  vi.stubGlobal('location', new URL(origin))
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** One more module, as another tab has it. */
async function otherTab(): Promise<typeof takeStreamSlot> {
  vi.resetModules()
  return (await import('./stream-slots.ts')).takeStreamSlot
}

/** Asks for a place, and for no more than to be told to wait for it. */
async function queue(take: typeof takeStreamSlot, signal = idle): Promise<{ slot: Promise<() => void> }> {
  let told = (): void => {}
  const waits = new Promise<void>((resolve) => (told = resolve))
  const slot = take(origin, signal, told)
  await Promise.race([waits, slot.then(() => expect.unreachable('has not waited'))])
  return { slot }
}

const ways: [string, () => object][] = [
  ['with locks', () => ({ locks: new FakeLocks() })],
  ['without locks', () => ({})],
  ['with locks that reject', () => ({ locks: { request: () => Promise.reject(new Error('denied')) } })],
  [
    'with locks that throw',
    () => ({
      get locks(): never {
        throw new Error('denied')
      },
    }),
  ],
]

describe.each(ways)('[B12] %s', (_name, makeNavigator) => {
  beforeEach(() => vi.stubGlobal('navigator', makeNavigator()))

  it('three streams stand, the fourth waits for one of them to end', async () => {
    const releases = [
      await takeStreamSlot(origin, idle, noWait),
      await takeStreamSlot(origin, idle, noWait),
      await takeStreamSlot(origin, idle, noWait),
    ]
    const { slot } = await queue(takeStreamSlot)
    releases[1]!()
    const release = await slot
    const next = await queue(takeStreamSlot)
    release()
    await expect(next.slot).resolves.toBeTypeOf('function')
  })

  it('another origin has places of its own', async () => {
    for (let n = 0; n < 3; n++) await takeStreamSlot(origin, idle, noWait)
    await expect(takeStreamSlot(`${origin}0`, idle, noWait)).resolves.toBeTypeOf('function')
  })

  it('who gives up waiting leaves the queue, with its own reason', async () => {
    const release = await takeStreamSlot(origin, idle, noWait)
    await takeStreamSlot(origin, idle, noWait)
    await takeStreamSlot(origin, idle, noWait)
    const abort = new AbortController()
    const first = await queue(takeStreamSlot, abort.signal)
    const second = await queue(takeStreamSlot)
    abort.abort(new Error('changed my mind'))
    await expect(first.slot).rejects.toThrow('changed my mind')
    release()
    await second.slot
  })

  it('who has left before it asks does not wait', async () => {
    for (let n = 0; n < 3; n++) await takeStreamSlot(origin, idle, noWait)
    const gone = AbortSignal.abort(new Error('gone'))
    await expect(takeStreamSlot(origin, gone, () => {})).rejects.toThrow('gone')
  })
})

describe('[B12] over all tabs of a browser', () => {
  let locks: FakeLocks
  beforeEach(() => {
    locks = new FakeLocks()
    vi.stubGlobal('navigator', { locks })
  })

  it('two tabs have three streams together, and who waits in one gets what ends in the other', async () => {
    const takeThere = await otherTab()
    const release = await takeStreamSlot(origin, idle, noWait)
    await takeThere(origin, idle, noWait)
    await takeStreamSlot(origin, idle, noWait)
    const { slot } = await queue(takeThere)
    expect(locks.held.size).toBe(3)
    release()
    await slot
    expect(locks.held.size).toBe(3)
  })

  it('who waited for any of three keeps one, and nothing is asked for any more', async () => {
    const releases = []
    for (let n = 0; n < 3; n++) releases.push(await takeStreamSlot(origin, idle, noWait))
    const { slot } = await queue(takeStreamSlot)
    expect(locks.queued).toHaveLength(3)
    // At once: each of the three is granted before the first has been heard of.
    for (const release of releases) release()
    const release = await slot
    await vi.waitFor(() => expect(locks.held.size).toBe(1), 60_000)
    expect(locks.queued).toEqual([])
    release()
    await vi.waitFor(() => expect(locks.held.size).toBe(0), 60_000)
  })

  it('who gives up waiting holds nothing and asks for nothing', async () => {
    const releases = []
    for (let n = 0; n < 3; n++) releases.push(await takeStreamSlot(origin, idle, noWait))
    const abort = new AbortController()
    const { slot } = await queue(takeStreamSlot, abort.signal)
    abort.abort(new Error('left'))
    await expect(slot).rejects.toThrow('left')
    expect(locks.queued).toEqual([])
    for (const release of releases) release()
    await vi.waitFor(() => expect(locks.held.size).toBe(0), 60_000)
  })

  it('who leaves while it looks for a free place asks for none', async () => {
    for (let n = 0; n < 3; n++) await takeStreamSlot(origin, idle, noWait)
    const abort = new AbortController()
    const slot = takeStreamSlot(origin, abort.signal, () => {})
    abort.abort(new Error('left'))
    await expect(slot).rejects.toThrow('left')
    expect(locks.queued).toEqual([])
    expect(locks.held.size).toBe(3)
  })
})

it('[B12] outside of a page nothing is counted', async () => {
  vi.stubGlobal('location', undefined)
  for (let n = 0; n < 4; n++) await expect(takeStreamSlot(origin, idle, noWait)).resolves.toBeTypeOf('function')
})
