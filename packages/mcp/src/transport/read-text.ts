import { createChunkDecoder } from './chunk-decoder.ts'
import { type ChunkReader, LONG, readChunks } from './read-chunks.ts'
import { SseTooLarge } from './sse.ts'

const BRACE = 125

export type ReadText = (
  response: Response,
  maxBytes: number,
  onactivity?: (waitMs: number) => void,
  signal?: AbortSignal,
  enough?: (text: string) => boolean,
) => Promise<string>

/**
 * The body as text, never more than `maxBytes` of it: beyond, the rest is refused and {@link SseTooLarge} thrown. `enough` is asked
 * about the first chunk of what may be an object, and spares whoever waits the news that nothing follows.
 */
export async function readText(
  { body }: Pick<Response, 'body'>,
  maxBytes: number,
  onactivity?: (waitMs: number) => void,
  signal?: AbortSignal,
  enough?: (text: string) => boolean,
  reader = body?.getReader() as ChunkReader | undefined,
  take = createChunkDecoder(),
): Promise<string> {
  let text = ''
  await readChunks(
    reader,
    (chunk) => {
      maxBytes -= chunk.length
      if (maxBytes < 0) throw new SseTooLarge()
      const mayBeAll = enough && !text && chunk.length < LONG && chunk.at(-1) === BRACE
      text += take(chunk)
      onactivity?.(0)
      return mayBeAll && enough(text)
    },
    signal,
  )
  return text
}
