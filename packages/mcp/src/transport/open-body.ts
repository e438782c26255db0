import { type ChunkReader, LONG } from './read-chunks.ts'

/** What the long bodies of a page pass through, one at a time: fresh memory for every chunk would cost more than all the rest. */
let passage: ArrayBuffer | undefined

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

/** Reads a body through the passage, where that can be done. */
export function openPassage(response: Response): ChunkReader | undefined {
  const reader = openMemory(response)
  if (!reader) return undefined
  let memory = passage ?? new ArrayBuffer(65_536)
  passage = undefined
  return {
    cancel: () => reader.cancel(),
    async read() {
      const { done, value } = await reader.read(new Uint8Array(memory))
      if (value) memory = value.buffer
      if (!done) return { done, value }
      // What was let go of keeps its memory.
      if (value) passage = memory
      return { done, value: undefined }
    },
  }
}

/** Reads a body of which nobody knows how long it is: once a long chunk came, through the passage. */
export function openBody(response: Response): ChunkReader | undefined {
  const { body } = response
  const plain = body?.getReader()
  if (!plain || !isOfPlatform(response)) return plain
  let reader: ChunkReader = plain
  return {
    cancel: () => reader.cancel(),
    async read() {
      const result = await reader.read()
      if (reader === plain && result.value && result.value.length > LONG) {
        plain.releaseLock()
        reader = openPassage(response) ?? body!.getReader()
      }
      return result
    },
  }
}
