import { createChunkDecoder } from './chunk-decoder.ts'
import { givePassage, PASSAGE, takePassage } from './open-body.ts'
import { readHugeText } from './read-huge-text.ts'
import { SseTooLarge } from './sse.ts'

/** From so many bytes on, what is saved in memory is worth some time. */
const HUGE = 4_000_000

/**
 * The text of a long body of a page, through memory that is used again. All in one function: each one more that every chunk
 * passes shows in an answer of 100 KB.
 */
export async function readPageText(
  reader: ReadableStreamBYOBReader,
  length: number,
  maxBytes: number,
  onactivity: ((waitMs: number) => void) | undefined,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (length > HUGE) return readHugeText(reader, maxBytes, onactivity, signal)
  const decode = createChunkDecoder()
  const cancel = (): void => void reader.cancel().catch(() => {})
  let memory = takePassage()
  let size = 0
  let text = ''
  signal?.addEventListener('abort', cancel)
  if (signal?.aborted) cancel()
  try {
    for (;;) {
      const { done, value } = await reader.read(new Uint8Array(memory, size))
      // What was let go of keeps its memory, and what is in it.
      if (!value) return text
      memory = value.buffer
      size += value.length
      maxBytes -= value.length
      if (maxBytes < 0) throw new SseTooLarge()
      if (done || size === PASSAGE) {
        text += decode(new Uint8Array(memory, 0, size))
        size = 0
      }
      if (done) break
      onactivity?.(0)
    }
  } catch (error) {
    cancel()
    throw error
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
  givePassage(memory)
  return text
}
