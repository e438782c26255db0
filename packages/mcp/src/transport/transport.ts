import type { MCPError } from '../errors.ts'
import type { JsonRpcMessage, JsonRpcRequest, RequestId } from '../jsonrpc.ts'
import type { Backoff } from './retry-law.ts'

/** What can be said of one message; the union of what the known clients say. */
export interface TransportSendOptions {
  signal?: AbortSignal | undefined
  requestSignal?: AbortSignal | undefined
  headers?: Readonly<Record<string, string>> | undefined
  /** The stream of this request ended without its answer. */
  onRequestStreamEnd?: (() => void) | undefined
  relatedRequestId?: RequestId | undefined
  /** Pick up the answer of an interrupted request after this event id instead of sending it. */
  resumptionToken?: string | undefined
  /** The id under which it was sent: answers to others on the same stream are not for it. Any is taken where nobody says. */
  resumedRequestId?: RequestId | undefined
  onresumptiontoken?: ((token: string) => void) | undefined
  /** Something of the answer arrived, or the transport waits `waitMs` before it tries again. */
  onactivity?: ((waitMs: number) => void) | undefined
  /** A stream that stays open has to wait for a place. */
  onwait?: (() => void) | undefined
  /** Aborts the request in place of `signal`; the transport may abort it too, once it is over. */
  abort?: AbortController | undefined
  /** The caller knows that sending it twice does no harm. */
  repeatable?: boolean | undefined
}

/** What comes with a message: our own failure behind a JSON-RPC error, the text it was parsed from, its HTTP status. */
export interface MessageExtra {
  failure?: MCPError
  text?: string
  statusCode?: number
}

/** The contract between a client and what carries its messages. */
export interface Transport {
  start(): Promise<void>
  send(message: JsonRpcMessage, options?: TransportSendOptions): Promise<void>
  close(options?: { signal?: AbortSignal }): Promise<void>
  // oxlint-disable-next-line typescript/no-explicit-any -- each client has a message type of its own
  onmessage?: (message: any, extra?: any) => void
  onerror?: (error: Error) => void
  onclose?: () => void
  sessionId?: string
  /** Hears the revision to speak: the one to try, then the one that was agreed on. */
  setProtocolVersion?(version: string): void
  /** Where a transport without {@link setProtocolVersion} finds the revision. */
  protocolVersion?: string
  /** Whether it can carry the stateless era: then a server is asked for it first. */
  supportsProtocolVersionDiscovery?: boolean
  /** For clients of `@ai-sdk/mcp`: whether every request gets an answer. */
  waitsForProtocolVersionDiscovery?: boolean
  /** For the same: whether it sends the headers that a tool wants. */
  supportsMcpToolParameterHeaders?: boolean
}

/** A transport of others that keeps the contract, with types of its own for what it carries. */
export interface ForeignTransport {
  start(): Promise<void>
  // oxlint-disable-next-line typescript/no-explicit-any -- see above
  send(message: any, options?: any): Promise<void>
  // oxlint-disable-next-line typescript/no-explicit-any -- see above
  close(options?: any): Promise<void>
  // oxlint-disable-next-line typescript/no-explicit-any -- see above
  onmessage?: ((message: any, extra?: any) => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onclose?: (() => void) | undefined
  readonly sessionId?: string | undefined
}

/** What our own client asks of a transport beyond the contract; foreign transports may lack all of it. */
export interface WebTransport extends Transport {
  readonly supportsProtocolVersionDiscovery: boolean
  /** Where it leads, for messages: no query, no user. */
  readonly place: string
  readonly options: { maxRetries: number; backoff: Backoff }
  /** How a renewed session is made. */
  initialize: JsonRpcRequest | undefined
  openStream(): Promise<void>
  /** Takes secrets out of a stranger's text. */
  redact(text: string): Promise<string>
  on<T extends keyof TransportEvents>(type: T, listener: (event: TransportEvents[T]) => void): () => void
}

/** What the transport tells beside messages: `transport.on('retry', …)`. */
export interface TransportEvents {
  notification: { jsonrpc: '2.0'; method: string; params?: { [key: string]: unknown } | undefined }
  /** The session began, was renewed after the server forgot it, or ended. */
  session: { sessionId: string | undefined; renewed: boolean }
  /** A request will be sent again after `waitMs`. */
  retry: { method: string; attempt: number; waitMs: number; reason: string }
  /** A message that nobody asked for was thrown away. */
  dropped: { why: string; count: number }
  /** The token source satisfied a challenge: what was cached may belong to another account. */
  authorized: undefined
}
