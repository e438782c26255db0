import type {} from '@switchboard/testkit/browser-setup'
import { bodyUrl, type WantedBody } from '@switchboard/testkit/wanted-body'
import { afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { readLongText } from '../../src/transport/read-long-text.ts'
import { SseTooLarge } from '../../src/transport/sse.ts'

const MAX = 4_000_000
const signal = new AbortController().signal
const TEXT = 'aé漢😀'

const ask = (wanted: WantedBody, init?: RequestInit): Promise<Response> =>
  fetch(bodyUrl(inject('bodyServerUrl'), wanted), init)
const read = async (wanted: WantedBody): Promise<string> => readLongText(await ask(wanted), MAX, undefined, signal)

/** Whatever became of the one before, the next body is whole and nothing but itself. */
async function expectNextIsRight(): Promise<void> {
  const wanted = { text: 'next, ', times: 50_000 }
  expect((await read(wanted)) === wanted.text.repeat(wanted.times)).toBe(true)
}

beforeAll(async () => {
  // What reads them is loaded beside the first long one.
  await read({ text: 'x', times: 20_000 })
  await import('../../src/transport/read-page-text.ts')
})
afterEach(() => void vi.restoreAllMocks())

describe('a long body in a page', () => {
  it('is read into memory that is used again', async () => {
    const asked = vi.spyOn(ReadableStream.prototype, 'getReader')
    const made = vi.spyOn(globalThis, 'ArrayBuffer')
    for (let n = 0; n < 20; n++) await expectNextIsRight()
    expect(asked.mock.calls).toEqual(Array.from({ length: 20 }, () => [{ mode: 'byob' }]))
    expect(made.mock.calls.length).toBeLessThan(2)
  })

  it.each([1, 7, 50])('says what was sent, in %i pieces', async (pieces) => {
    for (const times of [1, 5000, 200_000]) {
      const text = await read({ text: TEXT, times, pieces })
      // Not toBe: a difference of megabytes would be printed.
      expect(text === TEXT.repeat(times)).toBe(true)
    }
  })

  it('loses a mark of the byte order at its beginning, and no other', async () => {
    expect((await read({ text: '\u{feff}x', times: 40_000 })) === `x${'\u{feff}x'.repeat(39_999)}`).toBe(true)
  })

  it('is not mixed with others that come at the same time', async () => {
    const all = Array.from({ length: 12 }, (_, at) => ({ text: `${at}, `, times: 100_000 + at, pieces: 10 + at }))
    const texts = await Promise.all(all.map(read))
    expect(texts.map((text, at) => text === all[at]!.text.repeat(all[at]!.times))).not.toContain(false)
  })

  it('tells of what arrives, long before it is whole', async () => {
    const abort = new AbortController()
    const response = await ask({ text: TEXT, times: 10_000, pieces: 10, half: 'hangs' }, { signal: abort.signal })
    let text: Promise<string> | undefined
    // Nobody would come here otherwise.
    await new Promise<void>((told) => {
      text = readLongText(response, MAX, () => told(), abort.signal)
    })
    abort.abort()
    await expect(text!.then((part) => part.length).catch(() => 0)).resolves.toBeLessThan(50_001)
  })

  it.each([262_143, 262_144, 262_145, 524_288])('of %i bytes, about as much as its memory, is whole', async (times) => {
    expect((await read({ text: 'x', times })) === 'x'.repeat(times)).toBe(true)
    await expectNextIsRight()
  })

  it('is one text, which nobody has to put together, up to the size of its memory', async () => {
    const decoded = vi.spyOn(TextDecoder.prototype, 'decode')
    await read({ text: 'x', times: 200_000, pieces: 20 })
    expect(decoded).toHaveBeenCalledTimes(1)
  })

  it('[A2.1] is let go of as soon as it is too much, also where the rest never comes', async () => {
    const response = await ask({ text: 'x', times: 100_000, half: 'hangs' })
    await expect(readLongText(response, 40_000, undefined, signal)).rejects.toBeInstanceOf(SseTooLarge)
    await expectNextIsRight()
  })

  it('[A2.1] is never more than allowed, however short it is when packed', async () => {
    const response = await ask({ text: 'x', times: 2 * MAX, packed: true })
    expect(Number(response.headers.get('content-length'))).toBeLessThan(MAX / 64)
    await expect(readLongText(response, MAX, undefined, signal)).rejects.toBeInstanceOf(SseTooLarge)
    await expectNextIsRight()
  })

  it('[A2.1] is exactly as much as allowed', async () => {
    await expect(
      readLongText(await ask({ text: 'x', times: 100_001 }), 100_000, undefined, signal),
    ).rejects.toBeInstanceOf(SseTooLarge)
    expect(await readLongText(await ask({ text: 'x', times: 100_000 }), 100_000, undefined, signal)).toHaveLength(
      100_000,
    )
  })

  it('[R-19] is none where the connection ends before its length', async () => {
    const response = await ask({ text: TEXT, times: 50_000, half: 'ends' })
    await expect(readLongText(response, MAX, undefined, signal)).rejects.toThrow('network error')
    await expectNextIsRight()
  })

  it('[1.2] ends with the signal of its request', async () => {
    const abort = new AbortController()
    const response = await ask({ text: TEXT, times: 50_000, half: 'hangs' }, { signal: abort.signal })
    let text: Promise<string> | undefined
    await new Promise<void>((begun) => {
      text = readLongText(response, MAX, () => begun(), abort.signal)
    })
    abort.abort()
    await text!.then(
      (part) => expect(part.length).toBeLessThan(TEXT.length * 50_000),
      (error: unknown) => expect(error).toHaveProperty('name', 'AbortError'),
    )
    await expectNextIsRight()
  })

  it.each([undefined, 'bytes'] as const)(
    'may come from a fetch of the caller, which makes streams of its own: %s',
    async (type) => {
      const chunk = new TextEncoder().encode('x'.repeat(50_000))
      let left = 3
      // As many do it: in memory that it is given, such a source would never end.
      const pull = (controller: ReadableStreamDefaultController<Uint8Array> | ReadableByteStreamController): void =>
        left-- > 0 ? controller.enqueue(chunk.slice()) : controller.close()
      const body = type ? new ReadableStream({ type, pull }) : new ReadableStream({ pull })
      const response = new Response(body, { headers: { 'content-length': '150000' } })
      expect(await readLongText(response, MAX, undefined, signal)).toHaveLength(150_000)
      await expectNextIsRight()
    },
  )
})
