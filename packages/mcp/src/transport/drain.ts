import type { ChunkReader } from './read-chunks.ts'

/** Reads what is left behind the answer, so that the connection can be used again, for a second at most. */
export async function drain(reader: ChunkReader, cancel: () => void): Promise<void> {
  const timer = setTimeout(cancel, 1000)
  try {
    while (!(await reader.read()).done);
  } catch {}
  clearTimeout(timer)
}
