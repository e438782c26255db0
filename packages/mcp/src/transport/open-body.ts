import { type ChunkReader, LONG } from './read-chunks.ts'

/** What the long bodies of a page pass through, one at a time: fresh memory for every chunk would cost more than all the rest. */
let passage: ArrayBuffer | undefined
/** So long a body becomes one text, which need not be put together to be parsed. */
export const PASSAGE = 262_144

/** Memory for one body; whoever has read it to its end gives it back. */
export function takePassage(): ArrayBuffer {
  const memory = passage ?? new ArrayBuffer(PASSAGE)
  passage = undefined
  return memory
}

export function givePassage(memory: ArrayBuffer): void {
  passage = memory
}

/**
 * Whether the platform of a page made it: other sources need not be able to fill memory that they are given, and might see what
 * is left in it.
 */
const isOfPlatform = ({ type }: Response): boolean => !!globalThis.location && /^(basic|cors)$/.test(type)

/** Reads a body into memory that it is given, where that can be done. */
export function openMemory(response: Response): ReadableStreamBYOBReader | undefined {
  try {
    if (isOfPlatform(response)) return response.body?.getReader({ mode: 'byob' })
  } catch {
    // Not every browser can do that.
  }
  return undefined
}

/** Reads a body of which nobody knows how long it is: once a long chunk came, through the passage. */
export function openBody(response: Response): ChunkReader | undefined {
  const { body } = response
  let plain = body?.getReader()
  if (!plain || !isOfPlatform(response)) return plain
  let reader: ReadableStreamBYOBReader | undefined
  let memory: ArrayBuffer
  let enough = LONG
  return {
    cancel: () => (reader ?? plain!).cancel(),
    async read() {
      if (reader) {
        const result = await reader.read(new Uint8Array(memory))
        // What was let go of keeps its memory.
        if (result.value) {
          memory = result.value.buffer
          if (result.done) givePassage(memory)
        }
        return result
      }
      const result = await plain!.read()
      if (result.value && result.value.length > enough) {
        // Where it cannot be done, it is tried once.
        enough = Infinity
        plain!.releaseLock()
        reader = openMemory(response)
        if (reader) memory = takePassage()
        else plain = body!.getReader()
      }
      return result
    },
  }
}
