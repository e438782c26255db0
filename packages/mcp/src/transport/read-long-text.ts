import { loadOnce } from '../load-once.ts'
import { createChunkDecoder } from './chunk-decoder.ts'
import { openMemory, openPassage } from './open-body.ts'
import type * as Huge from './read-huge-text.ts'
import { readText } from './read-text.ts'

/** From so many bytes on, what is saved in memory is worth some time. */
const HUGE = 4_000_000

/** Loaded beside the first long answer, and never waited for: what waits may hold the last connection that is left to load it. */
const load = loadOnce(async () => (loaded = await import('./read-huge-text.ts')))
let loaded: Partial<typeof Huge> = {}

/** As {@link readText}, faster for a body that is long, or may be. */
export async function readLongText(
  response: Response,
  maxBytes: number,
  onactivity: ((waitMs: number) => void) | undefined,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (globalThis.location) {
    const isHuge = +response.headers.get('content-length')! > HUGE
    const reader = isHuge && loaded.readHugeText && openMemory(response)
    if (reader) return loaded.readHugeText!(reader, maxBytes, onactivity, signal)
    void load()
    return readText(response, maxBytes, onactivity, signal, undefined, openPassage(response))
  }
  const decode = createChunkDecoder()
  const chunks: Uint8Array[] = []
  let size = 0
  const keep = (chunk: Uint8Array): string => {
    size += chunk.length
    chunks.push(chunk)
    return ''
  }
  await readText(response, maxBytes, onactivity, signal, undefined, undefined, keep)
  // Many would be as many strings, which the collector moves about. To put a few together would be one copy more.
  if (chunks.length < 32) return chunks.map(decode).join('')
  const whole = new Uint8Array(size)
  for (const chunk of chunks.reverse()) whole.set(chunk, (size -= chunk.length))
  return decode(whole)
}
