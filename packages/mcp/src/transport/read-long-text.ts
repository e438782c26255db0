import { loadOnce } from '../load-once.ts'
import { createChunkDecoder } from './chunk-decoder.ts'
import { openMemory } from './open-body.ts'
import type * as Page from './read-page-text.ts'
import { readText } from './read-text.ts'

/** Loaded beside the first long answer, and never waited for: what waits may hold the last connection that is left to load it. */
const load = loadOnce(async () => (loaded = await import('./read-page-text.ts')))
let loaded: Partial<typeof Page> = {}

/** As {@link readText}, faster for a body that is long, or may be. */
export async function readLongText(
  response: Response,
  maxBytes: number,
  onactivity: ((waitMs: number) => void) | undefined,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (globalThis.location) {
    const reader = loaded.readPageText && openMemory(response)
    const length = response.headers.get('content-length')
    if (reader) return loaded.readPageText!(reader, +length!, maxBytes, onactivity, signal)
    void load()
    return readText(response, maxBytes, onactivity, signal)
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
