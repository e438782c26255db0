import { createChunkDecoder } from './chunk-decoder.ts'
import { SseTooLarge } from './sse.ts'

/** The body as text, never more than `maxBytes` of it: beyond, the rest is refused and {@link SseTooLarge} thrown. */
export async function readText(
  { body }: Response,
  maxBytes: number,
  onactivity?: (waitMs: number) => void,
): Promise<string> {
  let text = ''
  if (!body) return text
  const reader = body.getReader()
  const decode = createChunkDecoder()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text
    maxBytes -= value.length
    if (maxBytes < 0) {
      reader.cancel().catch(() => {})
      throw new SseTooLarge()
    }
    // Chunk by chunk: bytes that are put together first are copied once more.
    text += decode(value)
    onactivity?.(0)
  }
}
