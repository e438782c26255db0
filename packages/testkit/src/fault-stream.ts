import type { ServerResponse } from 'node:http'

export interface EventFields {
  id?: string | undefined
  event?: string | undefined
  data?: string | undefined
  retry?: string | number | undefined
}

/** Events as a server remembers them for a client that comes back with Last-Event-ID. */
export interface RecordedStream {
  readonly key: string
  readonly events: { id: string; text: string }[]
  done: boolean
  readonly followers: Set<EventStream>
}

export function formatEvent({ id, event, data, retry }: EventFields, eol = '\n'): string {
  let text = ''
  if (retry !== undefined) text += `retry: ${retry}${eol}`
  if (event !== undefined) text += `event: ${event}${eol}`
  if (id !== undefined) text += `id: ${id}${eol}`
  if (data !== undefined) for (const line of data.split('\n')) text += `data: ${line}${eol}`
  return text + eol
}

/** The writing end of one SSE response. After a drop it still records, as a server that goes on working does. */
export class EventStream {
  readonly #response: ServerResponse
  readonly #recorded: RecordedStream | undefined
  readonly #cut: () => void
  eol = '\n'

  constructor(response: ServerResponse, recorded: RecordedStream | undefined, cut: () => void) {
    this.#response = response
    this.#recorded = recorded
    this.#cut = cut
  }

  get gone(): boolean {
    return this.#response.destroyed || this.#response.writableEnded
  }

  /** Bytes as they are, in one write. Resolves when they are on their way, or the client has gone. */
  raw(bytes: string | Uint8Array): Promise<void> {
    if (this.gone) return Promise.resolve()
    return new Promise((resolve) => {
      const go = () => {
        this.#response.off('close', go)
        resolve()
      }
      this.#response.on('close', go)
      this.#response.write(bytes, go)
    })
  }

  event(fields: EventFields): Promise<void> {
    return this.raw(formatEvent(fields, this.eol))
  }

  comment(text = 'keep-alive'): Promise<void> {
    return this.raw(`: ${text}${this.eol}${this.eol}`)
  }

  /** A JSON-RPC message; with a recorded stream it gets the next event id. */
  message(message: unknown, fields: EventFields = {}): Promise<void> {
    const data = JSON.stringify(message)
    if (!this.#recorded) return this.event({ ...fields, data })
    const recorded = this.#recorded
    const id = fields.id ?? `${recorded.key}:${recorded.events.length}`
    const text = formatEvent({ ...fields, id, data }, this.eol)
    recorded.events.push({ id, text })
    for (const follower of recorded.followers) void follower.raw(text)
    return this.raw(text)
  }

  /** An id with empty data: what lets a client come back before the first message. */
  prime(retry?: string | number): Promise<void> {
    if (!this.#recorded) return Promise.resolve()
    const recorded = this.#recorded
    const id = `${recorded.key}:${recorded.events.length}`
    recorded.events.push({ id, text: '' })
    return this.event({ id, data: '', retry })
  }

  /** The answer is complete: this response and all that resumed it end. */
  end(): void {
    if (this.#recorded) {
      this.#recorded.done = true
      for (const follower of this.#recorded.followers) follower.end()
    }
    if (!this.gone) this.#response.end()
  }

  /** A clean end of the response, while the work behind it goes on. */
  finish(): void {
    if (!this.gone) this.#response.end()
  }

  /** The connection breaks. */
  drop(): void {
    this.#cut()
  }
}
