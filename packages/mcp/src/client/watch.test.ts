import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

let watch: (look: () => void, inMs: number) => void
let unwatch: (look: () => void) => void

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  vi.resetModules()
  const { watch: watchUntil, ...rest } = await import('./watch.ts')
  watch = (look, inMs) => watchUntil(look, performance.now() + inMs, performance.now())
  unwatch = rest.unwatch
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('what looks after requests', () => {
  it('is called at its time, whoever began before or after it', () => {
    const slow = vi.fn()
    const quick = vi.fn()
    watch(slow, 100)
    watch(quick, 50)
    vi.advanceTimersByTime(49)
    expect(quick).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(quick).toHaveBeenCalledOnce()
    // Who was called too early says so.
    unwatch(quick)
    watch(slow, 50)
    slow.mockClear()
    vi.advanceTimersByTime(50)
    expect(slow).toHaveBeenCalledOnce()
    expect(quick).toHaveBeenCalledOnce()
  })

  it('is never called for a time without end', () => {
    const look = vi.fn()
    watch(look, Infinity)
    vi.advanceTimersByTime(1e9)
    expect(look).not.toHaveBeenCalled()
    watch(look, 10)
    vi.advanceTimersByTime(10)
    expect(look).toHaveBeenCalledOnce()
  })

  it('in Node leaves nothing that the process waits for', () => {
    const look = vi.fn()
    watch(look, 60_000)
    expect(vi.getTimerCount()).toBe(1)
    unwatch(look)
    expect(vi.getTimerCount()).toBe(0)
    watch(look, 10)
    vi.advanceTimersByTime(10)
    expect(look).toHaveBeenCalledOnce()
  })

  it('in a page has one timer for a thousand requests', () => {
    vi.stubGlobal('location', new URL('http://localhost/'))
    const set = vi.spyOn(globalThis, 'setTimeout')
    for (let request = 0; request < 1000; request++) {
      const look = vi.fn()
      watch(look, 60_000)
      vi.advanceTimersByTime(1)
      unwatch(look)
    }
    expect(set).toHaveBeenCalledOnce()
    vi.advanceTimersByTime(120_000)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('in a page is called although its timer was lost', () => {
    vi.stubGlobal('location', new URL('http://localhost/'))
    const lost = vi.fn()
    watch(lost, 50)
    vi.clearAllTimers()
    vi.advanceTimersByTime(60)
    watch(() => {}, 60_000)
    vi.advanceTimersByTime(1)
    expect(lost).toHaveBeenCalledOnce()
  })
})
