import { PASSAGE } from './open-body.ts'
import { SseTooLarge } from './sse.ts'

/**
 * The text of a body, put together by the platform of a page. Pieces of text that we put together would be there twice, until garbage is
 * collected: the peak would be almost twice as high. All bytes pass through the same memory.
 */
export async function readHugeText(
  reader: ReadableStreamBYOBReader,
  maxBytes: number,
  onactivity: ((waitMs: number) => void) | undefined,
  signal: AbortSignal | undefined,
): Promise<string> {
  let memory = new ArrayBuffer(PASSAGE)
  let failure: unknown
  const cancel = (): void => void reader.cancel().catch(() => {})

  /** Asked for only when the piece before has been taken: then its memory is free again. */
  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      let size = 0
      let ended = false
      while (!ended && size < PASSAGE) {
        const { done, value } = await reader.read(new Uint8Array(memory, size))
        ended = done
        // What was let go of keeps its memory, and what is in it.
        if (!value) return controller.close()
        memory = value.buffer
        size += value.length
        maxBytes -= value.length
        if (maxBytes < 0) throw new SseTooLarge()
        onactivity?.(0)
      }
      if (size > 0) controller.enqueue(new Uint8Array(memory, 0, size))
      if (ended) controller.close()
    } catch (error) {
      cancel()
      failure = error
      controller.error(error)
    }
  }

  signal?.addEventListener('abort', cancel)
  if (signal?.aborted) cancel()
  try {
    return await new Response(new ReadableStream({ pull, cancel }, { highWaterMark: 0 })).text()
  } catch (error) {
    // A platform may tell another.
    throw failure ?? error
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
}
