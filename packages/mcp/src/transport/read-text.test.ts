import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readLongText } from './read-long-text.ts'
import { readText as readAnyText } from './read-text.ts'
import { SseTooLarge } from './sse.ts'

const MAX = 4_000_000

/** What a real server answers. */
async function answerOf(answer: (response: ServerResponse) => void): Promise<Response> {
  const server = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}

/** A body with its length in the head. */
const whole = (body: string | Buffer, headers: Record<string, string> = {}): Promise<Response> =>
  answerOf((response) => response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body))

const signal = new AbortController().signal

describe.each([
  ['any', readAnyText],
  ['a long', (response: Response, maxBytes: number) => readLongText(response, maxBytes, undefined, signal)],
])('the text of %s body', (_, readText) => {
  it('is all of it, short or long, with its length or without', async () => {
    // The longest comes in more than 32 chunks: no platform hands over 64 KB at once of what arrives bit by bit.
    for (const times of [0, 1, 100, 10_000, 300_000]) {
      const text = 'aé漢😀'.repeat(times)
      expect(await readText(await whole(text), MAX)).toBe(text)
      expect(await readText(await answerOf((response) => response.writeHead(200).end(text)), MAX)).toBe(text)
    }
  })

  it('is empty where there is none', async () => {
    expect(await readText(await answerOf((response) => response.writeHead(204).end()), MAX)).toBe('')
  })

  it.each(['gzip', 'br'])(
    '[A2.1] is never more than allowed, however short it is when packed: %s',
    async (encoding) => {
      const bomb = Buffer.alloc(2 * MAX, 'x')
      const packed = encoding === 'gzip' ? gzipSync(bomb) : brotliCompressSync(bomb)
      expect(packed.length).toBeLessThan(MAX / 64)
      const response = await whole(packed, { 'content-encoding': encoding })
      await expect(readText(response, MAX)).rejects.toBeInstanceOf(SseTooLarge)
    },
  )

  it('[A2.1] is refused where its length says too much, and where it has none', async () => {
    await expect(readText(await whole('x'.repeat(1001)), 1000)).rejects.toBeInstanceOf(SseTooLarge)
    await expect(readText(await whole('x'.repeat(20)), 10)).rejects.toBeInstanceOf(SseTooLarge)
    const endless = await answerOf((response) => response.writeHead(200).end('x'.repeat(1001)))
    await expect(readText(endless, 1000)).rejects.toBeInstanceOf(SseTooLarge)
  })

  it('[R-19] is none where the connection ends before its length', async () => {
    const cut = await answerOf((response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half')
      setImmediate(() => response.destroy())
    })
    await expect(readText(cut, MAX)).rejects.toBeInstanceOf(TypeError)
  })
})
