import { closedError, guard, MCPError } from '../errors.ts'
import {
  asks,
  asMessage,
  isRequest,
  type JsonRpcMessage,
  type JsonRpcRequest,
  JsonTooDeep,
  parseJson,
} from '../jsonrpc.ts'
import { declaredRevision, isPlain, statelessHeaders } from '../wire/http-headers.ts'
import { allowsBatches } from '../wire/revisions.ts'
import { BoundedQueue } from './bounded-queue.ts'
import { aboutOf, answerFailure, asFailure, failureOf, refusalOf } from './describe-failure.ts'
import { EventStream } from './event-stream.ts'
import type { Exchange, HttpLink } from './http-link.ts'
import { type HttpTransportOptions, type ResolvedOptions, resolveOptions } from './http-options.ts'
import { loaded, recovery, recoveryOr } from './load-recovery.ts'
import { LONG } from './read-chunks.ts'
import { type ReadText, readText } from './read-text.ts'
import { redact } from './redact.ts'
import { discard, SSE_TYPE, typeOf } from './response.ts'
import { mayRepeat } from './may-repeat.ts'
import type { MessageExtra, TransportEvents, TransportSendOptions, WebTransport } from './transport.ts'

export type { HttpTransportOptions } from './http-options.ts'

/** With names that are written out: to copy one object into another takes ten times as long. */
const postHeaders = (headers: Record<string, string>): Record<string, string> => ({
  ...headers,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
})

const { process, location } = globalThis as { process?: { versions?: { undici?: string } }; location?: unknown }
/**
 * Node copies a request that may be redirected, and with it the stream of its body: that takes a tenth of the time of a
 * call. Elsewhere nothing would be won, and a page would not learn that it was a redirect.
 */
const SWIFT = !location && process?.versions?.undici ? 'error' : 'manual'

/** How long a server may take to accept the answer to one of its own requests. */
const ANSWER_MS = 30_000
const answerTimeout = ({ place }: HttpLink): MCPError =>
  new MCPError(`${place} did not accept an answer within ${ANSWER_MS} ms`, 'timeout')

/**
 * Streamable HTTP for anybody's client: sessions with recovery and resumption, the stateless era, and HTTP+SSE for
 * servers that have only that.
 *
 * @example
 * const client = await createMCPClient({ transport: new HttpTransport('https://example.com/mcp') })
 */
export class HttpTransport implements WebTransport, HttpLink {
  // oxlint-disable-next-line typescript/no-explicit-any -- each client has a message type of its own
  declare onmessage?: (message: any, extra?: any) => void
  declare onerror?: (error: Error) => void
  declare onclose?: () => void
  declare sessionId?: string
  /** The revision that goes as a header with the requests of the session. */
  declare protocolVersion?: string
  readonly hasPerRequestStream = true
  declare readonly supportsProtocolVersionDiscovery: boolean
  readonly waitsForProtocolVersionDiscovery = true
  readonly supportsMcpToolParameterHeaders = true
  declare readonly place: string

  /** @internal */
  declare readonly options: ResolvedOptions
  /** @internal */
  closed = false
  /** @internal */
  declare closing: AbortController | undefined
  /** @internal */
  readonly exchanges = new Set<Exchange>()
  /** @internal */
  declare token: string | undefined
  /** @internal */
  budget = 20
  /** @internal */
  declare uploads: boolean | undefined
  /** @internal */
  declare redirect: 'error' | 'manual'
  /** @internal */
  declare initialize: JsonRpcRequest | undefined
  /** @internal */
  expired = false
  /** @internal */
  declare renewing: Promise<void> | undefined
  /** @internal */
  declare listening: AbortController | undefined
  /** @internal */
  declare legacy: boolean
  /** @internal */
  declare endpoint: string | undefined
  readonly #listeners: { [type in keyof TransportEvents]?: Set<(event: never) => void> } = {}
  #headers: Record<string, string> | undefined
  #listening: Promise<void> | undefined
  /** Answers to requests of the server, which can send any number of them. */
  readonly #answers = new BoundedQueue(16, 256)
  #dropped = 0

  constructor(target: string | URL | HttpTransportOptions, options?: Omit<HttpTransportOptions, 'url'>)
  constructor(target: string | URL | HttpTransportOptions, beside?: Omit<HttpTransportOptions, 'url'>) {
    const options = resolveOptions(target, beside)
    const { url, fetch, redirect, initialSessionId, initialProtocolVersion, legacy } = options
    this.options = options
    this.place = url.replace(/[?#].*/, '')
    this.legacy = legacy
    this.redirect = fetch || redirect === 'follow' ? 'manual' : SWIFT
    this.supportsProtocolVersionDiscovery = !legacy
    if (initialSessionId) this.sessionId = initialSessionId
    if (initialProtocolVersion) this.protocolVersion = initialProtocolVersion
  }

  async start(): Promise<void> {
    // In the background, so that it is there when the network is not.
    void recovery()
  }

  /** Sends one message as it is. The answer to a request, or the failure in its place, arrives through `onmessage`. */
  send(message: JsonRpcMessage, options: TransportSendOptions = {}): Promise<void> {
    if (this.closed && isRequest(message)) {
      const { method } = message
      return Promise.reject(new MCPError(`${method} at ${this.place} was not sent: it is closed`, 'closed', { method }))
    }
    if (!asks(message)) return this.#answers.run(() => this.#tell(message, options))
    if (!isRequest(message)) return this.#tell(message, options)
    return new Promise((accepted, reject) => {
      const hand = (exchange: Exchange): void => {
        exchange.hand = undefined
        // Who closes now has nothing to wait for.
        this.exchanges.delete(exchange)
        this.#deliver(exchange.answer!, exchange.extra)
      }
      this.ask(message, options, accepted, hand).then((exchange) => {
        // Clients pass on as it is what a transport throws, and whoever has to sign in looks for this.
        if (exchange?.unauthorized) return reject(exchange.extra!.failure!)
        accepted()
        exchange?.hand?.(exchange)
      }, reject)
    })
  }

  setProtocolVersion(version: string | undefined): void {
    if (version) this.protocolVersion = version
    else delete this.protocolVersion
    this.#headers = undefined
  }

  /**
   * Ends the session at the server, and leaves the transport open: the next request begins a new session. That a server
   * does not end sessions (405) or has forgotten this one (404) is no error.
   */
  async terminateSession(): Promise<void> {
    if (!this.sessionId || this.closed) return
    const { endSession } = await recovery()
    await endSession(this)
    this.#listening = undefined
  }

  /** Opens the stream on which the server speaks unasked. Resolves when it is open or the server has none. */
  openStream(): Promise<void> {
    return (this.#listening ??= new Promise((opened, reject) => {
      recovery()
        .then(({ listen }) => listen(this, opened))
        .then(opened, reject)
    }))
  }

  on<T extends keyof TransportEvents>(type: T, listener: (event: TransportEvents[T]) => void): () => void {
    const listeners = (this.#listeners[type] ??= new Set())
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  async redact(text: string): Promise<string> {
    return redact(this, text)
  }

  async close(options?: { signal?: AbortSignal }): Promise<void> {
    if (this.closed) return
    this.closed = true
    const closed = closedError()
    this.closing?.abort(closed)
    for (const { abort } of this.exchanges) abort.abort(closed)
    // Before anything is awaited: clients end their pending calls now, each with an error of its own.
    guard(this.onerror, this.onclose)
    if (this.sessionId && this.options.terminateSessionOnClose !== false) {
      // Servers may refuse to end sessions (405), or be gone: closing succeeds all the same.
      // Not with AbortSignal.timeout: it keeps what listens to it for the five seconds, also when all is over.
      const abort = new AbortController()
      const timer = setTimeout(() => abort.abort(), 5000)
      await this.fetch('DELETE', this.sessionHeaders(), options?.signal ?? abort.signal).then(discard, () => {})
      clearTimeout(timer)
    }
  }

  /** @internal */
  emit<T extends keyof TransportEvents>(type: T, event: TransportEvents[T]): void {
    const listeners = this.#listeners[type]
    if (listeners) for (const listener of listeners) guard(this.onerror, listener, event as never)
  }

  #deliver(message: JsonRpcMessage, extra?: MessageExtra): void {
    // Its client has ended every call when it heard of the end, and knows none of the ids any more.
    if (this.closed) return
    try {
      this.onmessage?.(message, extra)
    } catch (error) {
      guard(undefined, this.onerror, error as Error)
    }
  }

  #drop(why: string): void {
    this.emit('dropped', { why, count: ++this.#dropped })
  }

  // ─── what is sent ───

  /** @internal */
  fetch(
    method: string,
    headers: Record<string, string>,
    signal: AbortSignal,
    body?: string,
    address = this.options.url,
    exchange?: Exchange,
  ): Promise<Response> {
    const { fetch = globalThis.fetch, tokenSource, requestInit } = this.options
    // Redirects are looked at before anything is sent there.
    const redirect = body && !this.legacy ? this.redirect : 'manual'
    const own: RequestInit = { method, headers, signal, redirect, body: body! }
    const init = requestInit ? { ...requestInit, ...own } : own
    // Tokens are asked for, odd names encoded, and a page may have a way to send a call at most once.
    if (tokenSource || (location && address.startsWith('https')) || !isPlain(headers['mcp-name'] ?? '')) {
      return recovery().then(({ sendWithCare }) => sendWithCare(this, address, init, exchange))
    }
    return fetch(address, init)
  }

  /** @internal */
  setSession(sessionId: string | undefined): void {
    if (sessionId === this.sessionId) return
    if (sessionId) this.sessionId = sessionId
    else delete this.sessionId
    this.setProtocolVersion(this.protocolVersion)
    guard(this.onerror, this.options.onSessionIdChange, sessionId)
    this.emit('session', { sessionId, renewed: false })
  }

  /**
   * Headers follow the body: what describes itself is stateless, `initialize` begins, all else is the session's.
   * @internal
   */
  headersFor(message: JsonRpcMessage, extra?: Readonly<Record<string, string>>): Record<string, string> {
    const revision = declaredRevision(message)
    const begins = (message as JsonRpcRequest).method === 'initialize'
    const own = revision || begins ? postHeaders(this.options.headers) : this.sessionHeaders()
    const headers = extra && !begins ? { ...own, ...extra } : own
    return revision ? statelessHeaders(message, revision, headers) : headers
  }

  /** @internal */
  sessionHeaders(): Record<string, string> {
    if (this.#headers) return this.#headers
    const headers = postHeaders(this.options.headers)
    if (this.sessionId) headers['mcp-session-id'] = this.sessionId
    if (this.protocolVersion) headers['mcp-protocol-version'] = this.protocolVersion
    return (this.#headers = headers)
  }

  /** A notification or an answer of ours: nothing comes back, so a failure is the caller's to know. */
  async #tell(message: JsonRpcMessage, options: TransportSendOptions): Promise<void> {
    this.#forget(message as JsonRpcRequest)
    // One of its own: a platform keeps listening to a signal long after its request is over.
    const telling = { abort: new AbortController() } as Exchange
    const { signal = options.requestSignal ?? telling.abort.signal } = options
    // A server that never takes an answer must not keep the others from being sent.
    const timer = asks(message) ? undefined : setTimeout(() => telling.abort.abort(answerTimeout(this)), ANSWER_MS)
    const body = JSON.stringify(message)
    const post = (): Promise<Response> =>
      this.fetch('POST', this.headersFor(message, options.headers), signal, body, this.endpoint)
    let response: Response | undefined
    let failed: unknown
    this.exchanges.add(telling)
    try {
      if (!this.closed) response = await post()
    } catch (error) {
      failed = error
    }
    clearTimeout(timer)
    this.exchanges.delete(telling)
    if (response?.ok) discard(response)
    else {
      const about = aboutOf(message)
      const { tellAgain } = await recoveryOr((cause) =>
        response ? refusalOf(this, about, response, cause) : asFailure(this, about, failed),
      )
      await tellAgain(this, message, signal, post, response, failed)
    }
    // Awaited: what the server asks before the stream is open is lost, and the call that needs the answer hangs.
    const begun = (message as JsonRpcRequest).method === 'notifications/initialized'
    if (begun && this.options.autoOpenStream !== false) await this.openStream().catch(() => {})
  }

  /** A client that cancels a request may do so without its signal; its answer must not be waited for any longer. */
  #forget({ method, params }: JsonRpcRequest): void {
    if (method !== 'notifications/cancelled') return
    for (const exchange of this.exchanges) {
      if (!exchange.message || exchange.message.id !== params?.['requestId']) continue
      exchange.cancelled = true
      exchange.abort.abort()
    }
  }

  // ─── one request ───

  /**
   * Brings a request to its answer or to the failure in its place; to undefined when its caller has left.
   * @internal
   */
  async ask(
    message: JsonRpcRequest,
    options: TransportSendOptions,
    accepted?: () => void,
    hand?: Exchange['hand'],
  ): Promise<Exchange | undefined> {
    const { abort = new AbortController() } = options
    const exchange: Exchange = {
      message,
      body: JSON.stringify(message),
      options,
      abort,
      stateless: !!declaredRevision(message),
      repeatable: options.repeatable ?? mayRepeat(message.method),
      attempts: 0,
      hand,
    }
    const caller = options.abort ? undefined : (options.signal ?? options.requestSignal)
    const stop = (): void => abort.abort()
    caller?.addEventListener('abort', stop)
    this.exchanges.add(exchange)
    if (this.closed || caller?.aborted) stop()
    try {
      await this.#attempt(exchange, accepted)
    } catch (error) {
      answerFailure(this, exchange, error)
    }
    exchange.release?.()
    this.exchanges.delete(exchange)
    caller?.removeEventListener('abort', stop)
    return caller?.aborted || exchange.cancelled ? undefined : exchange
  }

  /** Sends the request, again where the retry law allows it, and reads its answer. */
  async #attempt(exchange: Exchange, accepted: (() => void) | undefined): Promise<void> {
    const { message, body, options, stateless, abort } = exchange
    const begins = message.method === 'initialize'
    if (begins) this.initialize = message
    for (;;) {
      const listens = message.method === 'subscriptions/listen'
      const isUsual = !(options.resumptionToken || this.expired || this.legacy || listens)
      if (!isUsual && (await (await recovery()).askOtherwise(this, exchange))) return
      const { sessionId } = this
      let response: Response
      exchange.attempts++
      try {
        response = await this.fetch(
          'POST',
          this.headersFor(message, options.headers),
          abort.signal,
          body,
          undefined,
          exchange,
        )
      } catch (error) {
        const { sendAgain } = await recoveryOr(() => error)
        if (await sendAgain(this, exchange, error)) continue
        throw error
      }
      if (response.ok) {
        accepted?.()
        if (this.budget < 20) this.budget++
        if (begins && !stateless) this.setSession(response.headers.get('mcp-session-id') ?? undefined)
        return this.#readAnswer(exchange, response)
      }
      const { judgeRefusal } = await recoveryOr((cause) => refusalOf(this, exchange, response, cause))
      if (!(await judgeRefusal(this, exchange, response, sessionId))) return
    }
  }

  async #readAnswer(exchange: Exchange, response: Response): Promise<void> {
    const type = typeOf(response)
    let stream: EventStream | undefined
    let text = ''
    if (type.includes(SSE_TYPE)) {
      stream = this.streamFor(exchange)
      stream.idleMs = exchange.idleMs
      await this.readStream(stream, response, exchange)
    } else {
      const { options, abort } = exchange
      const length = response.headers.get('content-length')
      // What does not say its length is most likely short: then the ways of a page for long ones only cost.
      const isLong = length ? +length > LONG : !location
      const read: ReadText = (isLong && loaded.recovery?.readLongText) || readText
      const { maxMessageBytes, fetch } = this.options
      // A page ends by itself what it fetched itself, which has an address: to listen as well takes longer than to decode
      // what is short. Node does not, also where somebody gave it a location, nor do pages whose fetch somebody replaced.
      const endsItself = location && !process && !fetch && !isLong && response.url
      const isJson = type.includes('json')
      let isRead = false
      // In a page, that is. What says its length and holds less has failed, whatever it says.
      const enough = (part: string): boolean =>
        (isRead = isJson && !length && !isLong && this.#receive(part, exchange, true, true))
      text = await read(response, maxMessageBytes, options.onactivity, endsItself ? undefined : abort.signal, enough)
      if (isJson && !isRead) this.#receive(text, exchange, true)
    }
    if (!exchange.answer && exchange.nearly) {
      exchange.answer = exchange.nearly.answer
      exchange.extra = { text: exchange.nearly.text }
    }
    if (exchange.answer) return
    const { withoutAnswer } = await recoveryOr((cause) =>
      failureOf(this, exchange, 'was answered without a result', 'network', { lost: true, cause }),
    )
    await withoutAnswer(this, exchange, response, stream, text)
  }

  /** Sorts what arrived: answers to their own request only, the rest to the client. Tells whether it could be read. */
  #receive(text: string, exchange?: Exchange, isAlone?: boolean, mayBePart?: boolean): boolean {
    let value: unknown
    try {
      value = parseJson(text)
    } catch (cause) {
      const what = cause instanceof JsonTooDeep ? cause.message : 'no JSON'
      if (!mayBePart) this.#drop(what)
      // Within an answer its own request tells of it.
      if (!exchange) guard(undefined, this.onerror, new MCPError(`${this.place} sent ${what}`, 'protocol', { cause }))
      else if (cause instanceof JsonTooDeep) exchange.tooDeep = what
      return false
    }
    if (Array.isArray(value) && allowsBatches(this.protocolVersion))
      for (const item of value) this.#sort(item, '', exchange)
    else if (exchange && Array.isArray(value) && value.length === 1) this.#sortNearly(value[0], text, exchange)
    else this.#sort(value, text, exchange, isAlone)
    return true
  }

  #sort(value: unknown, text: string, exchange?: Exchange, isAlone?: boolean): void {
    const message = asMessage(value)
    if (!message) return this.#drop('no JSON-RPC')
    if (asks(message)) {
      if (!isRequest(message)) this.emit('notification', message)
      else if (exchange?.stateless) return this.#drop('a request')
      return this.#deliver(message)
    }
    const { id } = message
    if (this.legacy) for (const asking of this.exchanges) if (asking.message?.id === id) exchange = asking
    if (exchange && id != null && id !== exchange.message.id && `${id}` === `${exchange.message.id}`)
      return this.#sortNearly(value, text, exchange)
    // A server that could not read the request answers without its id; the stream tells whose it is.
    if (!exchange || (id != null && id !== exchange.message.id && !exchange.takes?.(id)))
      return this.#drop('a foreign answer')
    if (exchange.answer) return this.#drop('a second answer')
    exchange.answer = id === exchange.message.id ? message : { ...message, id: exchange.message.id }
    exchange.extra = { text }
    exchange.wake?.()
    // Alone in its body, an answer need not wait for the end of what brought it. Behind notifications it does: the clients of others
    // hear of those a little later than of answers.
    if (isAlone && !exchange.abort.signal.aborted) exchange.hand?.(exchange)
  }

  /**
   * An answer in an array of its own, or with its id as text: counts when the server says nothing else in answer to the
   * request. Two of them would be ambiguous, so neither counts.
   */
  #sortNearly(value: unknown, text: string, exchange: Exchange): void {
    const message = asMessage(value)
    const { id } = exchange.message
    if (!message || asks(message) || `${message.id}` !== `${id}` || exchange.answer)
      return this.#drop('a foreign answer')
    exchange.nearly = exchange.nearly === undefined ? { answer: { ...message, id }, text } : null
  }

  /** @internal */
  streamFor(exchange?: Exchange, onother?: (event: string, data: string) => void): EventStream {
    return new EventStream(this.options.maxMessageBytes, (data) => this.#receive(data, exchange), onother)
  }

  /**
   * Reads a connection of an answer's stream; tells whether it brought the answer.
   * @internal
   */
  async readStream(stream: EventStream, response: Response, exchange: Exchange): Promise<boolean> {
    const { abort, options } = exchange
    const enough = (alive: boolean): boolean => {
      if (alive) options.onactivity?.(0)
      return exchange.answer !== undefined
    }
    await stream.read(response, enough, abort, options.onresumptiontoken)
    return enough(false)
  }
}
