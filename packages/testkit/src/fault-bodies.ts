import type { ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'

export const MB = 1_000_000

/** Head, then `bytes` of filler, then tail, made as the client takes them: nothing is held in memory. */
function* largeParts(head: string, filler: string, bytes: number, tail: string): Generator<Buffer> {
  yield Buffer.from(head)
  const block = Buffer.from(filler.repeat(Math.max(1, Math.floor(65_536 / filler.length))))
  for (let sent = 0; sent < bytes; sent += block.length) yield block
  yield Buffer.from(tail)
}

export interface LargeBody {
  head?: string
  filler?: string
  bytes: number
  tail?: string
  encoding?: 'gzip' | 'br'
}

/** Streams a large body into a response whose head is already written. Resolves at the end, or when the client left. */
export function sendLarge(response: ServerResponse, body: LargeBody): Promise<void> {
  const source = Readable.from(largeParts(body.head ?? '', body.filler ?? 'x', body.bytes, body.tail ?? ''), {
    objectMode: false,
    highWaterMark: 65_536,
  })
  return new Promise((resolve) => {
    const done = () => resolve()
    if (body.encoding === 'gzip') pipeline(source, createGzip({ level: 6 }), response, done)
    else if (body.encoding === 'br')
      pipeline(source, createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }), response, done)
    else pipeline(source, response, done)
  })
}

/** JSON text whose arrays are nested `depth` deep. */
export function deepArray(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth)
}
