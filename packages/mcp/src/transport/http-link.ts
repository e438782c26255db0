import type { Closable } from '../closing-signal.ts'
import type { JsonRpcMessage, JsonRpcRequest, JsonRpcResponse } from '../jsonrpc.ts'
import type { EventStream } from './event-stream.ts'
import type { ResolvedOptions } from './http-options.ts'
import type { MessageExtra, TransportEvents, TransportSendOptions } from './transport.ts'

/** Whose failure it is. */
export interface About {
  readonly message: { method: string; params?: JsonRpcRequest['params'] }
  readonly repeatable?: boolean
}

/** One request on its way to its answer. */
export interface Exchange extends About {
  readonly message: JsonRpcRequest
  readonly body: string
  readonly options: TransportSendOptions
  readonly stateless: boolean
  readonly repeatable: boolean
  readonly abort: AbortController
  /** How often it was sent. */
  attempts: number
  /** Its stream is taken for dead when it is silent for longer; never where nothing is said. */
  idleMs?: number
  /** The kinds of refusal that were answered. */
  challenged?: string
  /** It was refused, and nobody brought a token: whoever sent it is told by the rejection of `send()`. */
  unauthorized?: boolean
  renewed?: boolean
  /** The client has told the server that it does not wait any more. */
  cancelled?: boolean
  /** It was sent anew to see what the platform hid. */
  unveiled?: boolean
  answer?: JsonRpcResponse
  /** What counts as the answer if nothing better comes; null if there were several. */
  nearly?: { answer: JsonRpcResponse; text: string } | null
  /** What was sent and not read, because it was nested too deeply. */
  tooDeep?: string
  /** Gives the answer to the client, at once: it need not wait for the end of what brought it. Gone when that is done, or nobody waits. */
  hand?: ((exchange: Exchange) => void) | undefined
  extra?: MessageExtra
  /** Of a request that was sent before, under another id: whether an answer is for it. */
  takes?: (id: unknown) => boolean
  /** Gives back its place among the streams that stay open. */
  release?: () => void
  /** Ends the wait for an answer that comes on another stream. */
  wake?: () => void
}

/** The HTTP transport as its own parts see it. */
export interface HttpLink extends Closable {
  readonly options: ResolvedOptions
  readonly place: string
  /** What is under way: requests, and notifications that have no more than a way to end them. */
  readonly exchanges: Set<Exchange>
  onerror?: (error: Error) => void
  sessionId?: string
  /** The token of the last request: a secret. */
  token: string | undefined
  /** Whether bodies can be sent as streams, which browsers never repeat by themselves; undefined until tried. */
  uploads: boolean | undefined
  /** How a request is sent: `error` is the faster in Node, and hides where a redirect leads. */
  redirect: 'error' | 'manual'
  /** Keeps a failing server from being asked ever more: a retry costs five, a success earns one. */
  budget: number
  /** How the session began, so that it can begin anew. */
  initialize: JsonRpcRequest | undefined
  /** The server has forgotten the session. */
  expired: boolean
  renewing: Promise<void> | undefined
  /** Ends the server's own stream, and nothing else. */
  listening: AbortController | undefined
  /** The server speaks HTTP+SSE, the transport of the first revision. */
  legacy: boolean
  /** The address that such a server named; undefined while its stream is down. */
  endpoint: string | undefined
  fetch(
    method: string,
    headers: Record<string, string>,
    signal: AbortSignal,
    body?: string,
    address?: string,
  ): Promise<Response>
  headersFor(message: JsonRpcMessage, extra?: Readonly<Record<string, string>>): Record<string, string>
  sessionHeaders(): Record<string, string>
  setSession(sessionId: string | undefined): void
  setProtocolVersion(version: string | undefined): void
  ask(message: JsonRpcRequest, options: TransportSendOptions): Promise<Exchange | undefined>
  send(message: JsonRpcMessage): Promise<void>
  streamFor(exchange?: Exchange, onother?: (event: string, data: string) => void): EventStream
  readStream(stream: EventStream, response: Response, exchange: Exchange): Promise<boolean>
  on<T extends keyof TransportEvents>(type: T, listener: (event: TransportEvents[T]) => void): () => void
  emit<T extends keyof TransportEvents>(type: T, event: TransportEvents[T]): void
}
