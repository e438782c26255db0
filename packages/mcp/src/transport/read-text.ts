import { createChunkDecoder } from './chunk-decoder.ts'
import { SseTooLarge } from './sse.ts'

/** The body as text, never more than `maxBytes` of it: beyond, the rest is refused and {@link SseTooLarge} thrown. */
export async function readText(
  response: Response,
  maxBytes: number,
  onactivity?: (waitMs: number) => void,
): Promise<string> {
  const { body, headers, type } = response
  // In a page, a short body that is not packed is taken at its word, and read in the platform's own way, which is faster
  // there. Other origins hide whether it is packed, and so what it could grow to. (Node would not leave it when aborted.)
  const length = +(headers.get('content-length') ?? maxBytes)
  if (globalThis.location && type === 'basic' && length < maxBytes / 64 && !headers.has('content-encoding'))
    return response.text()
  const decode = createChunkDecoder()
  const reader = body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > maxBytes) {
      reader.cancel().catch(() => {})
      throw new SseTooLarge()
    }
    chunks.push(value)
    onactivity?.(0)
  }
  // To put a few together would be one copy more. But many would be as many strings, which the collector moves about.
  if (chunks.length < 32) return chunks.map(decode).join('')
  const whole = new Uint8Array(size)
  for (const chunk of chunks.reverse()) whole.set(chunk, (size -= chunk.length))
  return decode(whole)
}
