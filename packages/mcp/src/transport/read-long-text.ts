import { createChunkDecoder } from './chunk-decoder.ts'
import type { ChunkReader } from './read-chunks.ts'
import { readText } from './read-text.ts'

/** What the long bodies of a page pass through, one at a time: fresh memory for every chunk would cost more than all the rest. */
let passage: ArrayBuffer | undefined

function openPassage(body: ReadableStream<Uint8Array>): ChunkReader {
  const reader = body.getReader({ mode: 'byob' })
  let memory = passage ?? new ArrayBuffer(65_536)
  passage = undefined
  return {
    cancel: () => reader.cancel(),
    async read() {
      const { done, value } = await reader.read(new Uint8Array(memory))
      if (value) memory = value.buffer
      if (!done) return { done, value }
      // What was let go of keeps its memory.
      if (value) passage = memory
      return { done, value: undefined }
    },
  }
}

/** As {@link readText}, faster for a body that is long, or may be. */
export async function readLongText(
  response: Response,
  maxBytes: number,
  onactivity: ((waitMs: number) => void) | undefined,
  signal: AbortSignal,
): Promise<string> {
  const { body, type } = response
  if (globalThis.location) {
    let reader: ChunkReader | undefined
    // Only what the platform made itself: other sources need not be able to fill memory that they are given, and might see what
    // is left in it.
    if (body && /^(basic|cors)$/.test(type)) {
      try {
        reader = openPassage(body)
      } catch {
        // Not every browser can do that.
      }
    }
    return readText(response, maxBytes, onactivity, signal, reader)
  }
  const decode = createChunkDecoder()
  const chunks: Uint8Array[] = []
  let size = 0
  const keep = (chunk: Uint8Array): string => {
    size += chunk.length
    chunks.push(chunk)
    return ''
  }
  await readText(response, maxBytes, onactivity, signal, undefined, keep)
  // Many would be as many strings, which the collector moves about. To put a few together would be one copy more.
  if (chunks.length < 32) return chunks.map(decode).join('')
  const whole = new Uint8Array(size)
  for (const chunk of chunks.reverse()) whole.set(chunk, (size -= chunk.length))
  return decode(whole)
}
