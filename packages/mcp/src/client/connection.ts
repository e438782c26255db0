import type { Closable } from '../closing-signal.ts'
import { type FailureDetails, guard, type Reason } from '../errors.ts'
import type { JsonObject, JsonRpcRequest, JsonRpcResponse } from '../jsonrpc.ts'
import { failure, quote } from '../failure.ts'
import { loadOnce } from '../load-once.ts'
import type {
  ClientCapabilities,
  ElicitationRequest,
  ElicitResult,
  Implementation,
  InitializeResult,
  LogLevel,
  Notification,
  Progress,
  Root,
  Rounds,
  SamplingRequest,
  SamplingResult,
  SavedSession,
} from '../model.ts'
import type { HttpTransportOptions } from '../transport/http.ts'
import type { ForeignTransport, MessageExtra, Transport, WebTransport } from '../transport/transport.ts'
import type { Era } from '../wire/era.ts'
import type { ParamHeader } from '../wire/param-headers.ts'
import type { RequestBudget } from './admit-request.ts'
import type { ManagedMCPEvents, MCPEvents, MCPEventsConfig } from './events-later.ts'
import type * as OnDemand from './on-demand.ts'
import type { ResultCache } from './result-cache.ts'

/** What can be said of any call. */
export interface RequestOptions {
  /** Ends the call; the server is told. What is thrown is the signal's own reason. */
  signal?: AbortSignal | undefined
  /** Milliseconds without any sign of the answer; progress begins it anew. Default 60,000. */
  timeout?: number | undefined
  /** Milliseconds in all, whatever the progress. Default 600,000. */
  maxTotalTimeout?: number | undefined
  onProgress?: ((progress: Progress) => void) | undefined
  /** You know that running it twice does no harm: it may be sent again when its answer is lost. */
  repeatable?: boolean | undefined
  /** The `_meta` of the request: trace context (`traceparent`, `tracestate`, `baggage`) and keys of vendors. */
  _meta?: Record<string, unknown> | undefined
  /** Of a call of a tool: who takes the questions of a stateless server out of it, and what was answered to earlier ones. */
  rounds?: Rounds | undefined
}

export type WithOptions<T> = T & { options?: RequestOptions | undefined }

/** What is known of a question of the server beside the question. */
export interface Inquiry {
  /** Aborted when the server takes its question back; with an `MCPError` of reason `closed` where only this client left the task. */
  signal: AbortSignal
  /** The task that needs the answer, where it is one. Where the server names its questions, the same `key` is the same question. */
  task?: { id: string; name: string; key?: string } | undefined
}
/** Asks a person what a server wants to know. */
export type ElicitationHandler = (request: ElicitationRequest, inquiry: Inquiry) => Promise<ElicitResult> | ElicitResult
/** Has a model answer a server. */
export type SamplingHandler = (request: SamplingRequest, inquiry: Inquiry) => Promise<SamplingResult> | SamplingResult
/** What a server may look at, or who says so when it asks. */
export type Roots = Root[] | (() => Promise<Root[]> | Root[])
/** A list whose changes can be heard of. */
export type ListKind = 'tools' | 'resources' | 'prompts'

/** What a client is made of; only `transport` is needed. */
export interface MCPClientConfig {
  /** Where the server is, or any object that keeps the transport contract. */
  transport:
    | string
    | URL
    | ({ type: 'http' | 'sse' } & Omit<HttpTransportOptions, 'legacy' | 'autoOpenStream'>)
    | Transport
    | ForeignTransport
  /** False for servers that bear nothing before `initialize`. Default true. */
  protocolVersionDiscovery?: boolean
  clientName?: string
  /** The same as `clientName`. */
  name?: string
  version?: string
  capabilities?: ClientCapabilities
  /** Bounds of connecting as a whole: the shorter of the two times counts. */
  initializationOptions?: RequestOptions
  /** Bounds and `_meta` of every call that says nothing else. */
  requestOptions?: Pick<RequestOptions, 'timeout' | 'maxTotalTimeout' | '_meta'>
  /** How often a read whose answer was lost, and a call that certainly did not arrive, is sent again. Default 3. */
  maxRetries?: number
  /** What belongs to no call: broken messages, listeners that threw. */
  onUncaughtError?: (error: unknown) => void
  initialInitializeResult?: InitializeResult | undefined
  /** Go on with what {@link MCPClient.saveSession} returned. */
  session?: SavedSession | undefined
  /** Keep lists until the server says that they changed. Default false; true for `new MCPClient(…)`. */
  cache?: boolean
  /** False: calls are not to become tasks, and one that can only be a task fails. Default true. */
  tasks?: boolean
  onElicitationRequest?: ElicitationHandler
  onSamplingRequest?: SamplingHandler
  roots?: Roots
  onNotification?: (notification: Notification) => void
  logLevel?: LogLevel
  /** Who keeps the subscriptions to events of the server. */
  experimental_events?: MCPEventsConfig | undefined
}

/** One request that waits for its answer. */
export interface Pending {
  settle: (answer: JsonRpcResponse, extra?: MessageExtra) => void
  onacknowledged: ((notifications: unknown) => void) | undefined
  about: { method: string; params?: JsonObject | undefined }
  repeatable: boolean
}

/** What connecting may take. */
export interface Bounds {
  signal: AbortSignal
  timeout?: number
  maxTotalTimeout?: number
  _meta?: RequestOptions['_meta']
  /** How long the question which era it is may stay without an answer. */
  probeMs?: number
  onsignin?: (waitMs: number) => void
}

/** Everything the parts of a client share. */
export interface Connection extends Closable {
  readonly config: MCPClientConfig
  readonly transport: Transport & Partial<WebTransport>
  readonly place: string
  readonly clientInfo: Implementation
  /** Unique to this client, in every call. */
  readonly nonce: string
  nextId: number
  era: Era
  /** What the steps of connecting have to keep to, where its user bounded it. */
  bounds?: Bounds
  server: InitializeResult
  readonly pending: Map<unknown, Pending>
  /** Who hears the progress of a request, by its token. */
  readonly progress: Map<unknown, (params: JsonObject) => void>
  /** How many requests the server may still send. */
  readonly requestBudget: RequestBudget
  /** Questions of the server that are being answered. */
  readonly inquiries: Map<unknown, AbortController>
  readonly cache: ResultCache
  readonly toolHeaders: Map<string, ParamHeader[]>
  /** What the parts that are loaded on demand do about a notification, by its name. */
  readonly notices: Map<string, (params: JsonObject) => void>
  readonly notificationListeners: Set<(notification: Notification) => void>
  readonly listListeners: { readonly [kind in ListKind]: Set<() => void> }
  readonly subscriptions: Map<string, Set<() => void>>
  elicit?: ElicitationHandler | undefined
  /** What the handler can be asked, where that is not everything. */
  elicits?: ClientCapabilities['elicitation'] | undefined
  sample?: SamplingHandler | undefined
  roots?: Roots | undefined
  logLevel?: LogLevel | undefined
  /** Somebody asked for the stream as a whole. */
  streamWanted?: boolean
  /** What the present stream of the stateless era was asked to tell. */
  wishes?: string
  /** Ends the present `subscriptions/listen`. */
  listening?: AbortController | undefined
  /** Answers a request of the server in place of what usually does: where tasks are under way, it may belong to one. */
  answering?: (connection: Connection, question: JsonRpcRequest, signal: AbortSignal) => Promise<JsonObject>
  /** What `experimental_events` of the client is, once somebody asked. */
  events?: MCPEvents | ManagedMCPEvents
  /** The `_meta` of every request, until what it says changes. */
  meta?: JsonObject | undefined
}

export function capabilitiesOf({ config, elicit, elicits, sample, roots, era }: Connection): ClientCapabilities {
  return {
    ...(elicit && { elicitation: elicits ?? { form: {}, url: {} } }),
    ...(sample && { sampling: {} }),
    ...(roots && { roots: era.stateless ? {} : { listChanged: true } }),
    ...config.capabilities,
  }
}

/** Tells of what belongs to no call. */
export const report =
  ({ config }: Connection) =>
  (error: unknown): void =>
    // Thrown back from where nobody waits, it would end the program.
    guard(undefined, config.onUncaughtError, error)

/** What is needed only when a server asks, speaks unasked or wants headers: loaded for that. */
export const onDemand = loadOnce(async () => (loaded.deeds = await import('./on-demand.ts')))
/** The same for whoever cannot wait; there once it is loaded. */
export const loaded: { deeds?: typeof OnDemand } = {}

/** The same. Where it can't be loaded, throws the failure that made it necessary, if there is one. */
export const onDemandOr = (failed: unknown): Promise<typeof OnDemand> =>
  onDemand().catch((cause: unknown) => {
    throw failed instanceof Error ? failed : cause
  })

/** Does something with it that nobody waits for. */
export function meanwhile(
  connection: Connection,
  deed: (deeds: Awaited<ReturnType<typeof onDemand>>) => unknown,
): void {
  onDemand().then(deed).catch(report(connection))
}

/** Fails with words for it. */
export const fail = async (
  { place, transport }: Connection,
  about: { method: string; params?: JsonObject | undefined },
  text: string,
  reason: Reason,
  details?: FailureDetails,
): Promise<never> => {
  // A server's words may repeat a credential that it was sent.
  const redact = async (words: string): Promise<string> => (await transport.redact?.(words)) ?? words
  const serverMessage = details?.serverMessage && (await redact(details.serverMessage))
  throw failure(
    place,
    about,
    quote(await redact(text)),
    reason,
    serverMessage ? { ...details, serverMessage } : details,
  )
}
