import type {} from '@switchboard/testkit/browser-setup'
import { bodyUrl, type WantedBody } from '@switchboard/testkit/wanted-body'
import { afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { readLongText } from '../../src/transport/read-long-text.ts'
import { SseTooLarge } from '../../src/transport/sse.ts'

const MAX = 16_000_000
const signal = new AbortController().signal
/** Ten bytes: no power of two, so that pieces end inside of characters. */
const TEXT = 'aé漢😀'

const ask = (wanted: WantedBody, init?: RequestInit): Promise<Response> =>
  fetch(bodyUrl(inject('bodyServerUrl'), wanted), init)
const read = async (wanted: WantedBody, max = MAX): Promise<string> =>
  readLongText(await ask(wanted), max, undefined, signal)

beforeAll(async () => {
  // What reads huge bodies is loaded beside the first long one.
  await read({ text: 'x', times: 20_000 })
  await import('../../src/transport/read-page-text.ts')
})
afterEach(() => void vi.restoreAllMocks())

describe('a body of more than four megabytes in a page', () => {
  it('is put together by the platform, through one piece of memory', async () => {
    const text = vi.spyOn(Response.prototype, 'text')
    const made = vi.spyOn(globalThis, 'ArrayBuffer')
    expect((await read({ text: TEXT, times: 600_000, pieces: 100 })) === TEXT.repeat(600_000)).toBe(true)
    expect(text).toHaveBeenCalledTimes(1)
    expect(made.mock.calls).toEqual([[262_144]])
  })

  it.each([1, 7, 500])('says what was sent, in %i pieces', async (pieces) => {
    for (const times of [400_001, 1_000_000]) {
      const text = await read({ text: TEXT, times, pieces })
      // Not toBe: a difference of megabytes would be printed.
      expect(text === TEXT.repeat(times)).toBe(true)
    }
  })

  it('loses a mark of the byte order at its beginning, and no other', async () => {
    const times = 1_100_000
    expect((await read({ text: '\u{feff}x', times })) === `x${'\u{feff}x'.repeat(times - 1)}`).toBe(true)
  })

  it('is not mixed with others that come at the same time', async () => {
    const all = Array.from({ length: 5 }, (_, at) => ({ text: `${at}é, `, times: 900_000 + at, pieces: 10 + at }))
    const texts = await Promise.all(all.map((wanted) => read(wanted)))
    expect(texts.map((text, at) => text === all[at]!.text.repeat(all[at]!.times))).not.toContain(false)
  })

  it('tells of every piece that arrives', async () => {
    let signs = 0
    const onactivity = (): void => void signs++
    await readLongText(await ask({ text: TEXT, times: 600_000, pieces: 100 }), MAX, onactivity, signal)
    expect(signs).toBeGreaterThan(20)
  })

  it('[A2.1] is exactly as much as allowed', async () => {
    const wanted = { text: 'x', times: 5_000_000 }
    await expect(read(wanted, 4_999_999)).rejects.toBeInstanceOf(SseTooLarge)
    expect(await read(wanted, 5_000_000)).toHaveLength(5_000_000)
  })

  it('[A2.1] is let go of as soon as it is too much', async () => {
    const wanted = { text: 'x', times: 10_000_000, half: 'hangs' } as const
    const cancelled = vi.spyOn(ReadableStreamBYOBReader.prototype, 'cancel')
    await expect(read(wanted, 4_000_000)).rejects.toBeInstanceOf(SseTooLarge)
    expect(cancelled).toHaveBeenCalled()
  })

  it('[R-19] is none where the connection ends before its length', async () => {
    await expect(read({ text: TEXT, times: 600_000, half: 'ends' })).rejects.toThrow('network error')
  })

  it.each(['knows', 'does not know'])('[1.2] ends with the signal, which the request %s', async (knows) => {
    const abort = new AbortController()
    const init = knows === 'knows' ? { signal: abort.signal } : {}
    const response = await ask({ text: TEXT, times: 600_000, half: 'hangs' }, init)
    const { read: usual } = ReadableStreamBYOBReader.prototype
    let at = 0
    vi.spyOn(ReadableStreamBYOBReader.prototype, 'read').mockImplementation(function (this: never, view) {
      at = view.byteOffset
      return usual.call(this, view) as never
    })
    const text = readLongText(response, MAX, undefined, abort.signal)
    // All that comes has come, and some of it is no whole piece.
    await vi.waitFor(() => expect(at).toBe(3_000_000 % 262_144), 60_000)
    abort.abort()
    await text.then(
      (part) => expect(part.length).toBeLessThan(TEXT.length * 600_000),
      (error: unknown) => expect(error).toHaveProperty('name', 'AbortError'),
    )
  })

  it('waits for nothing that has to be loaded for it', async () => {
    const text = vi.spyOn(Response.prototype, 'text')
    // Once more, as a page has it that has loaded nothing yet.
    const address = new URL('../../src/transport/read-long-text.ts?fresh', import.meta.url).href
    const fresh = (await import(/* @vite-ignore */ address)) as { readLongText: typeof readLongText }
    expect(fresh.readLongText).not.toBe(readLongText)
    const response = await ask({ text: TEXT, times: 600_000 })
    expect((await fresh.readLongText(response, MAX, undefined, signal)) === TEXT.repeat(600_000)).toBe(true)
    expect(text).not.toHaveBeenCalled()
  })

  it('may come from a fetch of the caller, which makes streams of its own', async () => {
    const chunk = new TextEncoder().encode('x'.repeat(500_000))
    let left = 10
    const body = new ReadableStream({
      pull: (controller) => (left-- > 0 ? controller.enqueue(chunk.slice()) : controller.close()),
    })
    const response = new Response(body, { headers: { 'content-length': '5000000' } })
    expect(await readLongText(response, MAX, undefined, signal)).toHaveLength(5_000_000)
  })
})
