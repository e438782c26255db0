import { createChunkDecoder } from './chunk-decoder.ts'
import { type ChunkReader, readChunks } from './read-chunks.ts'
import { SseTooLarge } from './sse.ts'

/** The body as text, never more than `maxBytes` of it: beyond, the rest is refused and {@link SseTooLarge} thrown. */
export async function readText(
  { body }: Pick<Response, 'body'>,
  maxBytes: number,
  onactivity?: (waitMs: number) => void,
  signal?: AbortSignal,
  reader = body?.getReader() as ChunkReader | undefined,
  take = createChunkDecoder(),
): Promise<string> {
  let text = ''
  await readChunks(
    reader,
    (chunk) => {
      maxBytes -= chunk.length
      if (maxBytes < 0) throw new SseTooLarge()
      text += take(chunk)
      onactivity?.(0)
    },
    signal,
  )
  return text
}
