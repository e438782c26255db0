import type { IncomingMessage } from 'node:http'
import { failed } from './answers.ts'

/** Bytes of all bodies that are being received or handled at the same time, with the token and without. */
const MAX_KNOWN_TOTAL = 128 << 20
const MAX_GUEST_TOTAL = 4 << 20

export interface ReadBody {
  readonly body: Buffer<ArrayBuffer>
  /** To be called when the body is no longer needed. */
  release: () => void
}

/** Reads bodies with a limit for each, and one for all together: many unfinished ones must not fill the memory. */
export function createBodyReader() {
  const used = { known: 0, guest: 0 }
  return async (incoming: IncomingMessage, limit: number, isKnown: boolean): Promise<ReadBody | Response> => {
    const tooLong = () => failed(413, `The body of this request may have up to ${limit} bytes.`)
    if (Number(incoming.headers['content-length'] ?? 0) > limit) return tooLong()
    const kind = isKnown ? 'known' : 'guest'
    const total = isKnown ? MAX_KNOWN_TOTAL : MAX_GUEST_TOTAL
    const chunks: Buffer[] = []
    let bytes = 0
    const release = (): void => {
      used[kind] -= bytes
      bytes = 0
    }
    try {
      for await (const chunk of incoming as AsyncIterable<Buffer>) {
        bytes += chunk.length
        used[kind] += chunk.length
        const refused =
          bytes > limit
            ? tooLong()
            : used[kind] > total
              ? failed(503, 'Too many large requests at the same time. Try again in a moment.', { 'retry-after': '1' })
              : undefined
        if (refused) {
          release()
          return refused
        }
        chunks.push(chunk)
      }
    } catch (error) {
      release()
      throw error
    }
    return { body: Buffer.concat(chunks), release }
  }
}
