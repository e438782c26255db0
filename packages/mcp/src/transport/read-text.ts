import { createChunkDecoder } from './chunk-decoder.ts'
import { SseTooLarge } from './sse.ts'

/** The body as text, never more than `maxBytes` of it: beyond, the rest is refused and {@link SseTooLarge} thrown. */
export async function readText(
  { body }: Response,
  maxBytes: number,
  onactivity?: (waitMs: number) => void,
  signal?: AbortSignal,
): Promise<string> {
  const decode = createChunkDecoder()
  const reader = body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  const cancel = (): void => void reader?.cancel().catch(() => {})
  // See EventStream.read.
  signal?.addEventListener('abort', cancel)
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > maxBytes) {
      cancel()
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
