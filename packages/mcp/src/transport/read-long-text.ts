import { createChunkDecoder } from './chunk-decoder.ts'
import { openMemory, openPassage } from './open-body.ts'
import { readText } from './read-text.ts'

/** From so many bytes on, what is saved in memory is worth some time. */
const HUGE = 4_000_000

/** As {@link readText}, faster for a body that is long, or may be. */
export async function readLongText(
  response: Response,
  maxBytes: number,
  onactivity: ((waitMs: number) => void) | undefined,
  signal: AbortSignal,
): Promise<string> {
  if (globalThis.location) {
    const isHuge = Number(response.headers.get('content-length')) > HUGE
    // Few pages ever need it; who cannot load it does without.
    const huge = isHuge && (await import('./read-huge-text.ts').catch(() => {}))
    const reader = huge && openMemory(response)
    if (reader) return huge.readHugeText(reader, maxBytes, onactivity, signal)
    return readText(response, maxBytes, onactivity, signal, openPassage(response))
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
