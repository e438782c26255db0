/** From so many bytes on, a body or a chunk is long. */
export const LONG = 10_000

/** What there is of a reader that is needed to read. */
export type ChunkReader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>

/**
 * Gives `take` one chunk after the other, until there is none any more or it says that it has enough. Where nothing comes for
 * `idleMs`, and when the signal says so, the rest is let go, which looks like the end.
 */
export async function readChunks(
  reader: ChunkReader | undefined,
  take: (chunk: Uint8Array) => boolean | void,
  signal?: AbortSignal,
  idleMs?: number,
): Promise<void> {
  if (!reader) return
  const cancel = (): void => void reader.cancel().catch(() => {})
  // Node forgets the signal of a request that it does not copy as soon as it collects garbage, and a `fetch` of the caller
  // need not look at it.
  signal?.addEventListener('abort', cancel)
  if (signal?.aborted) cancel()
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    for (;;) {
      if (idleMs! > 0) {
        clearTimeout(timer)
        timer = setTimeout(cancel, idleMs)
      }
      const { done, value } = await reader.read()
      if (done) return
      if (take(value)) return void drain(reader, cancel)
    }
  } catch (error) {
    cancel()
    throw error
  } finally {
    if (timer) clearTimeout(timer)
    // A stream that is resumed without end would leave one with every connection.
    signal?.removeEventListener('abort', cancel)
  }
}

/** Reads what is left behind the answer, so that the connection can be used again, for a second at most. */
async function drain(reader: ChunkReader, cancel: () => void): Promise<void> {
  // Who waits for the answer goes first: in so many steps it has it, and has sent what it sends next.
  // oxlint-disable-next-line unicorn/no-unnecessary-await, typescript/await-thenable -- each is a step
  for (let steps = 20; steps--; ) await 0
  const timer = setTimeout(cancel, 1000)
  try {
    while (!(await reader.read()).done);
  } catch {}
  clearTimeout(timer)
}
