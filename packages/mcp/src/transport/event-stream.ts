import { guard } from '../errors.ts'
import { createSseParser, SseTooLarge } from './sse.ts'

/** One stream of events over all its connections. */
export class EventStream {
  lastId: string | undefined
  retryMs: number | undefined
  /** How many messages came so far: a reconnect that brings none counts against the bound. */
  messages = 0
  /** A connection silent for longer is taken for dead. Zero: never. */
  idleMs = 0
  /** The events of the present connection, to tell a replay by. */
  seen = new Set<string>()
  /** Those of the connections before. */
  earlier: Set<string> | undefined
  readonly #maxBytes: number
  readonly #receive: (data: string) => void
  readonly #onother: ((event: string, data: string) => void) | undefined

  constructor(maxBytes: number, receive: (data: string) => void, onother?: (event: string, data: string) => void) {
    this.#maxBytes = maxBytes
    this.#receive = receive
    this.#onother = onother
  }

  /**
   * Reads one connection until it ends, breaks, or `enough` says so: what is missing shows in what was delivered. Throws
   * only when an event is too large. `enough` hears after every chunk whether it held more than a sign of life.
   */
  async read(
    { body }: Response,
    enough: (alive: boolean) => boolean,
    abort?: AbortController,
    onid?: (id: string) => void,
  ): Promise<void> {
    let own = ''
    const parser = createSseParser(
      {
        message: (data, event) => {
          // An id alone is no proof of a replay: some servers give all events the same.
          const key = own && `${own} ${data.length} ${data.slice(-200)}`
          if (event !== '' && event !== 'message') this.#onother?.(event, data)
          else if (data !== '' && !(key && this.earlier?.has(key))) {
            // So many are remembered, and no more.
            if (key && own.length < 1000 && this.seen.add(key).size > 10_000) this.seen.clear()
            this.messages++
            this.#receive(data)
          }
          own = ''
        },
        id: (id) => {
          this.lastId = own = id
          guard(undefined, onid, id)
        },
        retry: (ms) => {
          this.retryMs = ms
        },
      },
      this.#maxBytes,
    )
    const reader = body?.getReader()
    if (!reader) return
    const cancel = (): void => void reader.cancel().catch(() => {})
    // Node forgets the signal of a request that it does not copy as soon as it collects garbage.
    abort?.signal.addEventListener('abort', cancel)
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      for (;;) {
        if (this.idleMs > 0) timer = setTimeout(cancel, this.idleMs)
        const { done, value } = await reader.read()
        clearTimeout(timer)
        if (done) return
        if (enough(parser.feed(value))) return void drain(reader, cancel)
      }
    } catch (error) {
      cancel()
      if (error instanceof SseTooLarge) throw error
    } finally {
      clearTimeout(timer)
      // A stream that is resumed without end would leave one with every connection.
      abort?.signal.removeEventListener('abort', cancel)
    }
  }
}

/** Reads what is left behind the answer, so that the connection can be used again, for a second at most. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, cancel: () => void): Promise<void> {
  const timer = setTimeout(cancel, 1000)
  try {
    while (!(await reader.read()).done);
  } catch {}
  clearTimeout(timer)
}
