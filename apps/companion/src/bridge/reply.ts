import type { JsonRpcMessage } from '@switchboard/mcp'
import { SAFE_HEADERS, json } from '../answers.ts'

/** What may wait for a reader that does not read. */
const MAX_WAITING_BYTES = 32 << 20

/** The HTTP answer to one request: JSON where nothing comes before the answer, else a stream of events. */
export interface Reply {
  readonly response: Promise<Response>
  /** Aborted when the client has left. */
  readonly gone: AbortSignal
  /** Sends the head of a stream now. */
  begin(): void
  tell(message: JsonRpcMessage): void
  finish(answer: JsonRpcMessage, status?: number): void
  /** Ends it without an answer, as a broken connection would. */
  drop(): void
}

/** `headers` are read when the answer begins: only then the program is known to run. */
export function createReply(gone: AbortSignal, headers: () => Record<string, string> = () => ({})): Reply {
  const { promise, resolve } = withResolvers<Response>()
  const encoder = new TextEncoder()
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined
  let over = false

  const begin = (): void => {
    if (stream || over) return
    const strategy = new ByteLengthQueuingStrategy({ highWaterMark: MAX_WAITING_BYTES })
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (stream = controller) }, strategy)
    resolve(new Response(body, { headers: { ...SAFE_HEADERS, 'content-type': 'text/event-stream', ...headers() } }))
  }
  const write = (message: JsonRpcMessage): void => {
    if (!stream || over || gone.aborted) return
    if ((stream.desiredSize ?? 0) <= 0) return end(() => stream?.error(new Error('The client does not read.')))
    stream.enqueue(encoder.encode(`event: message\ndata: ${JSON.stringify(message)}\n\n`))
  }
  const end = (how: () => void): void => {
    if (over) return
    over = true
    try {
      how()
    } catch {
      // The client closed it first.
    }
  }
  return {
    response: promise,
    gone,
    begin,
    tell(message) {
      begin()
      write(message)
    },
    finish(answer, status = 200) {
      if (stream) {
        write(answer)
        end(() => stream?.close())
      } else if (!over) {
        over = true
        resolve(json(answer, status, headers()))
      }
    },
    drop() {
      begin()
      end(() => stream?.close())
    },
  }
}

/** Node 20 has no Promise.withResolvers. */
export function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
