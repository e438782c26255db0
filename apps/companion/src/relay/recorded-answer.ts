/** The head of an answer of the server. */
export interface AnswerHead {
  readonly status: number
  readonly headers: Record<string, string>
}

export interface Upstream {
  readonly head: AnswerHead
  readonly body: AsyncIterable<Uint8Array> | undefined
}

/** What may wait in memory for the fastest client before the server is slowed down. */
const AHEAD_BYTES = 1 << 20
/** Of a longer answer the beginning is forgotten, and a repeat can't have it any more. */
const KEPT_BYTES = 16 << 20
/** How long a call goes on after its client left: a browser that repeats a request by itself does so at once. */
const RETURN_MS = 250

interface Reader {
  /** The next chunk, counted from the first of the answer. */
  next: number
}

/** The answer to one call, read once from the server and given to every copy of the request. */
export interface RecordedAnswer {
  readonly bytes: number
  readonly isDone: boolean
  /** Whether a new copy can still have all of it. */
  readonly isWhole: boolean
  /** Rejects where the server gave no answer. */
  attach(gone: AbortSignal): Promise<Response>
  forgetBody(): void
}

export function recordAnswer(start: (signal: AbortSignal) => Promise<Upstream>, onend: () => void): RecordedAnswer {
  const abort = new AbortController()
  const readers = new Set<Reader>()
  const waiting = new Set<() => void>()
  let chunks: Uint8Array[] = []
  /** How many chunks were forgotten at the beginning. */
  let forgotten = 0
  let bytes = 0
  let isDone = false
  let failure: unknown

  const wake = (): void => {
    for (const go of waiting) go()
    waiting.clear()
  }
  const change = (): Promise<void> => new Promise((resolve) => void waiting.add(resolve))
  const behind = (): number => {
    const furthest = Math.max(forgotten, ...[...readers].map(({ next }) => next))
    return chunks.slice(furthest - forgotten).reduce((sum, { length }) => sum + length, 0)
  }
  const shrink = (): void => {
    const slowest = Math.min(forgotten + chunks.length, ...[...readers].map(({ next }) => next))
    while (bytes > KEPT_BYTES && forgotten < slowest) {
      bytes -= chunks.shift()?.length ?? 0
      forgotten += 1
    }
  }
  const read = async (body: AsyncIterable<Uint8Array> | undefined): Promise<void> => {
    try {
      for await (const chunk of body ?? []) {
        chunks.push(chunk)
        bytes += chunk.length
        shrink()
        wake()
        while (readers.size > 0 && behind() > AHEAD_BYTES) await change()
      }
    } catch (error) {
      failure = error
    }
    isDone = true
    wake()
    onend()
  }
  const started = start(abort.signal).then(({ head, body }) => {
    void read(body)
    return head
  })
  started.catch(() => {
    isDone = true
    onend()
  })

  const leave = (reader: Reader): void => {
    if (!readers.delete(reader)) return
    wake()
    if (readers.size > 0 || isDone) return
    setTimeout(() => {
      if (readers.size === 0 && !isDone) abort.abort()
    }, RETURN_MS).unref()
  }
  const streamFor = (reader: Reader): ReadableStream<Uint8Array> =>
    new ReadableStream({
      async pull(controller) {
        while (reader.next >= forgotten + chunks.length && !isDone) await change()
        const chunk = chunks[reader.next - forgotten]
        if (chunk) {
          reader.next += 1
          shrink()
          wake()
          return controller.enqueue(chunk)
        }
        readers.delete(reader)
        if (failure === undefined) controller.close()
        else controller.error(failure)
      },
      cancel: () => leave(reader),
    })

  return {
    get bytes() {
      return bytes
    },
    get isDone() {
      return isDone
    },
    get isWhole() {
      return forgotten === 0
    },
    async attach(gone) {
      const reader: Reader = { next: 0 }
      readers.add(reader)
      gone.addEventListener('abort', () => leave(reader), { once: true })
      if (gone.aborted) leave(reader)
      const { status, headers } = await started
      const hasBody = ![204, 205, 304].includes(status)
      return new Response(hasBody ? streamFor(reader) : null, { status, headers })
    },
    forgetBody() {
      forgotten += chunks.length || 1
      chunks = []
      bytes = 0
    },
  }
}
