import type {} from '@switchboard/testkit/browser-setup'
import { bodyUrl, type WantedBody } from '@switchboard/testkit/wanted-body'
import { afterEach, describe, expect, inject, it, vi } from 'vitest'
import { EventStream } from '../../src/transport/event-stream.ts'
import { recovery } from '../../src/transport/load-recovery.ts'
import { readText } from '../../src/transport/read-text.ts'
import { SseTooLarge } from '../../src/transport/sse.ts'

const MAX = 4_000_000
const WORDS = 'aé漢😀'.repeat(100)

const ask = (wanted: WantedBody): Promise<Response> => fetch(bodyUrl(inject('bodyServerUrl'), wanted))
const event = (data: string): string => `event: message\ndata: ${data}\n\n`

/** What a stream says, and how it was read. */
async function hear(wanted: WantedBody): Promise<{ heard: string[]; modes: unknown[] }> {
  await recovery()
  const response = await ask(wanted)
  const heard: string[] = []
  const asked = vi.spyOn(ReadableStream.prototype, 'getReader')
  await new EventStream(MAX, (data) => heard.push(data)).read(response, () => false)
  const modes = asked.mock.calls.map(([options]) => options?.mode)
  asked.mockRestore()
  return { heard, modes }
}

afterEach(() => void vi.restoreAllMocks())

describe('a stream in a page', () => {
  it.each([1, 7, 50])('says what was sent although it turns out to be long, in %i pieces', async (pieces) => {
    const { heard, modes } = await hear({ text: event(WORDS), times: 3000, pieces })
    expect(heard).toHaveLength(3000)
    expect(new Set(heard)).toEqual(new Set([WORDS]))
    expect(modes).toEqual([undefined, 'byob'])
  })

  it('is read plainly while it is short', async () => {
    const { heard, modes } = await hear({ text: event('short'), times: 3 })
    expect(heard).toEqual(['short', 'short', 'short'])
    expect(modes).toEqual([undefined])
  })

  it('is asked once for memory of ours where the platform has no such reader, and is whole', async () => {
    await recovery()
    const response = await ask({ text: event(WORDS), times: 3000, pieces: 50 })
    const { getReader } = ReadableStream.prototype
    const asked = vi.spyOn(ReadableStream.prototype, 'getReader')
    asked.mockImplementation(function (this: ReadableStream, options?: ReadableStreamGetReaderOptions) {
      if (options?.mode) throw new TypeError('no bytes')
      return getReader.call(this) as ReadableStreamBYOBReader
    })
    const stream = new EventStream(MAX, () => {})
    await stream.read(response, () => false)
    expect(stream.messages).toBe(3000)
    expect(asked.mock.calls).toEqual([[], [{ mode: 'byob' }], []])
  })

  it('is not mixed with others that come at the same time', async () => {
    const all = Array.from({ length: 12 }, (_, at) => ({
      text: event(`${at}-`.repeat(50)),
      times: 2000 + at,
      pieces: 10 + at,
    }))
    await recovery()
    const streams = await Promise.all(
      all.map(async (wanted) => {
        const heard: string[] = []
        await new EventStream(MAX, (data) => heard.push(data)).read(await ask(wanted), () => false)
        return heard
      }),
    )
    for (const [at, heard] of streams.entries()) {
      expect(heard).toHaveLength(2000 + at)
      expect(new Set(heard)).toEqual(new Set([`${at}-`.repeat(50)]))
    }
  })

  it('[A2.1] is refused where one event is larger than allowed', async () => {
    await recovery()
    const response = await ask({ text: `data: ${'x'.repeat(6000)}\n`, times: 1000, pieces: 10 })
    const stream = new EventStream(MAX, () => expect.unreachable('no event has ended'))
    await expect(stream.read(response, () => false)).rejects.toBeInstanceOf(SseTooLarge)
    expect((await hear({ text: event(WORDS), times: 100 })).heard).toHaveLength(100)
  })

  it('ends when it breaks, with what was said before', async () => {
    const { heard } = await hear({ text: event(WORDS), times: 3000, pieces: 40, half: 'ends' })
    expect(heard.length).toBeLessThan(3000)
    expect(heard.every((data) => data === WORDS)).toBe(true)
    expect((await hear({ text: event(WORDS), times: 100 })).heard).toHaveLength(100)
  })

  it('ends when nothing comes for as long as it may be silent', async () => {
    await recovery()
    const response = await ask({ text: event(WORDS), times: 3000, pieces: 4, half: 'hangs' })
    const stream = new EventStream(MAX, () => {})
    stream.idleMs = 2000
    await stream.read(response, () => false)
    expect(stream.messages).toBeGreaterThan(0)
    expect((await hear({ text: event(WORDS), times: 100 })).heard).toHaveLength(100)
  })

  it('has its rest read behind the answer', async () => {
    await recovery()
    const response = await ask({ text: event(WORDS), times: 3000, pieces: 20 })
    const reads = vi.spyOn(ReadableStreamBYOBReader.prototype, 'read')
    const stream = new EventStream(MAX, () => {})
    await stream.read(response, () => stream.messages > 200)
    expect(stream.messages).toBeLessThan(3000)
    // The end brings the memory back; what is let go of would keep it.
    await expect
      .poll(async () => (await reads.mock.results.at(-1)?.value) as unknown)
      .toEqual({ done: true, value: new Uint8Array() })
  })

  it.each(['a stream', 'a body'])(
    '[1.2] %s of a fetch of the caller ends with the signal of its request',
    async (what) => {
      await recovery()
      const cancel = vi.fn()
      const chunk = new TextEncoder().encode(event(WORDS).repeat(20))
      const source = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(chunk), cancel })
      const asked = vi.spyOn(ReadableStream.prototype, 'getReader')
      const abort = new AbortController()
      const response = new Response(source)
      const stream = new EventStream(MAX, () => {})
      const reading =
        what === 'a body'
          ? readText(response, MAX, () => abort.abort(), abort.signal)
          : stream.read(
              response,
              () => {
                abort.abort()
                return false
              },
              abort,
            )
      await reading
      expect(cancel).toHaveBeenCalledOnce()
      expect(asked.mock.calls).toEqual([[]])
    },
  )
})
