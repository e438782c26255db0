import { SseTooLarge } from './sse.ts'

const decoder = new TextDecoder()

/** The body as text, never more than `maxBytes` of it: beyond, the rest is refused and {@link SseTooLarge} thrown. */
export async function readText(
  { body }: Response,
  maxBytes: number,
  onactivity?: (waitMs: number) => void,
): Promise<string> {
  if (!body) return ''
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
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
  if (chunks.length < 2) return decoder.decode(chunks[0])
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return decoder.decode(whole)
}
