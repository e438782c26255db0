import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerResponse, ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import type { Fields, Ledger, LedgerEntry, WireMessage } from './fault-ledger.ts'
import { EventStream, type RecordedStream } from './fault-stream.ts'

/** The stream of an HTTP/2 response, undefined for HTTP/1.1. */
export function http2StreamOf(response: ServerResponse): ServerHttp2Stream | undefined {
  return (response as unknown as Partial<Http2ServerResponse>).stream
}

export type Headers = Record<string, string | number | string[]>

/** What an exchange needs from its server. */
export interface ExchangeHost {
  readonly ledger: Ledger
  readonly baseHeaders: (exchange: Exchange) => Headers
  readonly resultOf: (exchange: Exchange) => Fields
  readonly record: () => RecordedStream
}

/** One HTTP request and the answer a test gives to it. Whoever calls an answering method has taken the exchange. */
export class Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly entry: LedgerEntry
  readonly body: string
  /** Counts the requests with the same JSON-RPC method (or HTTP method), from 1. */
  readonly nth: number
  taken = false
  /** Resolves when the response is finished or the connection is gone. */
  readonly closed: Promise<void>
  readonly #host: ExchangeHost

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    entry: LedgerEntry,
    body: string,
    host: ExchangeHost,
  ) {
    this.request = request
    this.response = response
    this.entry = entry
    this.body = body
    this.#host = host
    this.nth = host.ledger.count(entry.method ?? entry.httpMethod)
    this.closed = new Promise((resolve) => response.once('close', () => resolve()))
  }

  get httpMethod(): string {
    return this.entry.httpMethod
  }

  get headers(): LedgerEntry['headers'] {
    return this.entry.headers
  }

  header(name: string): string | undefined {
    const value = this.entry.headers[name.toLowerCase()]
    return Array.isArray(value) ? value.join(', ') : value
  }

  get message(): WireMessage | undefined {
    return this.entry.message
  }

  get method(): string | undefined {
    return this.entry.method
  }

  get id(): unknown {
    return this.entry.id
  }

  get params(): Fields {
    return this.entry.params
  }

  get meta(): Fields {
    return this.entry.meta
  }

  get arguments(): Fields {
    return this.entry.arguments
  }

  /** `arguments.mark`: how tests tell calls apart. */
  get mark(): string {
    return String(this.arguments['mark'])
  }

  /** The tool that is called, or undefined. */
  get tool(): string | undefined {
    return this.method === 'tools/call' ? String(this.params['name']) : undefined
  }

  /** The well-behaved result of this request; for tools/call this is the run that the ledger counts. */
  result(): Fields {
    return this.#host.resultOf(this)
  }

  /** A JSON-RPC response with this request's id. */
  reply(result: unknown = this.result()): { jsonrpc: '2.0'; id: unknown; result: unknown } {
    return { jsonrpc: '2.0', id: this.id, result }
  }

  failure(code: number, message: string, data?: unknown): WireMessage {
    return { jsonrpc: '2.0', id: this.id ?? null, error: { code, message, ...(data === undefined ? {} : { data }) } }
  }

  /** Takes the exchange: the server will not answer by itself. */
  take(): ServerResponse {
    this.taken = true
    return this.response
  }

  /** Any answer, written in one piece. */
  send(status: number, headers: Headers = {}, body: string | Uint8Array = ''): void {
    this.head(status, headers).end(body)
  }

  /** The head of an answer; the body is the test's. */
  head(status: number, headers: Headers = {}): ServerResponse {
    const response = this.take()
    response.writeHead(status, { ...this.#host.baseHeaders(this), ...headers })
    return response
  }

  json(value: unknown, status = 200, headers: Headers = {}): void {
    this.send(status, { 'content-type': 'application/json', ...headers }, JSON.stringify(value))
  }

  /** An SSE answer. With `record` it has event ids and can be resumed. */
  stream(options: { record?: boolean; headers?: Headers; status?: number; contentType?: string } = {}): EventStream {
    const response = this.head(options.status ?? 200, {
      'content-type': options.contentType ?? 'text/event-stream',
      'cache-control': 'no-store',
      ...options.headers,
    })
    response.flushHeaders?.()
    return new EventStream(response, options.record ? this.#host.record() : undefined, () => this.drop())
  }

  /** Follows a stream that was recorded earlier: what a resuming GET gets. */
  follow(recorded: RecordedStream, from: number): EventStream {
    const stream = this.stream()
    for (const { text } of recorded.events.slice(from)) if (text) void stream.raw(text)
    if (recorded.done) stream.end()
    else {
      recorded.followers.add(stream)
      void this.closed.then(() => recorded.followers.delete(stream))
    }
    return stream
  }

  /** Breaks the connection at once, without an end of the response. */
  drop(): void {
    const stream = http2StreamOf(this.take())
    if (stream) stream.session?.destroy()
    else this.request.socket.destroy()
  }

  /** Breaks the connection with a TCP reset. */
  reset(): void {
    if (http2StreamOf(this.take())) this.drop()
    else (this.request.socket as Socket).resetAndDestroy()
  }

  /** Ends the HTTP/2 stream of this request with an error code; the connection lives on. */
  resetStream(code: number): void {
    http2StreamOf(this.take())?.close(code)
  }

  /** Takes the request and says nothing, on a connection that stays open. */
  stall(): void {
    this.take()
  }
}
