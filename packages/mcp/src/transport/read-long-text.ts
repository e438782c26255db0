import { createChunkDecoder } from './chunk-decoder.ts'
import { openPassage } from './open-body.ts'
import { readText } from './read-text.ts'

/** As {@link readText}, faster for a body that is long, or may be. */
export async function readLongText(
  response: Response,
  maxBytes: number,
  onactivity: ((waitMs: number) => void) | undefined,
  signal: AbortSignal,
): Promise<string> {
  if (globalThis.location) return readText(response, maxBytes, onactivity, signal, openPassage(response))
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
