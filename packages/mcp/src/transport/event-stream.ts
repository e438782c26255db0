import { guard } from '../errors.ts'
import { loaded } from './load-recovery.ts'
import { readChunks } from './read-chunks.ts'
import { createSseParser, SseTooLarge } from './sse.ts'

/** One stream of events over all its connections. */
export class EventStream {
  declare lastId: string | undefined
  declare retryMs: number | undefined
  /** How many messages came so far: a reconnect that brings none counts against the bound. */
  messages = 0
  /** A connection silent for longer is taken for dead; never where nothing is said. */
  declare idleMs: number | undefined
  /** The events of the present connection, to tell a replay by. */
  seen = new Set<string>()
  /** Those of the connections before. */
  declare earlier: Set<string> | undefined
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
   * only when an event is too large, or somebody else reads the body. `enough` hears after every chunk whether it held more
   * than a sign of life.
   */
  async read(
    response: Response,
    enough: (alive: boolean) => boolean,
    abort?: AbortController,
    onid?: (id: string) => void,
  ): Promise<void> {
    let own = ''
    let replayed = false
    const parser = createSseParser(
      {
        message: (data, event) => {
          // An id alone is no proof of a replay: some servers give all events the same.
          const key = own && `${own} ${data.length} ${data.slice(-200)}`
          if (event !== '' && event !== 'message') this.#onother?.(event, data)
          else if (key && this.earlier?.has(key)) replayed = true
          else if (data !== '') {
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
    // Whatever can be done about long ones, where it is loaded.
    const reader = loaded.recovery ? loaded.recovery.openBody(response) : response.body?.getReader()
    const take = (chunk: Uint8Array): boolean => {
      const { messages } = this
      replayed = false
      const alive = parser.feed(chunk)
      // What was sent before says nothing new about the answer.
      return enough(alive && !(replayed && messages === this.messages))
    }
    try {
      await readChunks(reader, take, abort?.signal, this.idleMs)
    } catch (error) {
      if (error instanceof SseTooLarge) throw error
    }
  }
}
