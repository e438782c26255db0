import { failure, type FailureDetails, guard, MCPError, quote, type Reason } from '../errors.ts'
import {
  asMessage,
  isRequest,
  isResponse,
  type JsonRpcMessage,
  type JsonRpcRequest,
  type JsonRpcResponse,
  parseJson,
  readErrorBody,
} from '../jsonrpc.ts'
import { declaredRevision, statelessHeaders } from '../wire/http-headers.ts'
import { allowsBatches } from '../wire/revisions.ts'
import { EventBus } from './event-bus.ts'
import { EventStream } from './event-stream.ts'
import { discard, HttpFetch } from './http-fetch.ts'
import { type HttpTransportOptions, type ResolvedOptions, resolveOptions } from './http-options.ts'
import { readText } from './read-text.ts'
import { backoffMs, mayRepeat, pause, retryAfterMs, wasNotSent } from './retry-law.ts'
import { SseTooLarge } from './sse.ts'
import { takeStreamSlot } from './stream-slots.ts'
import type { MessageExtra, TransportEvents, TransportSendOptions, WebTransport } from './transport.ts'

export type { HttpTransportOptions } from './http-options.ts'

/** One request on its way to its answer. */
interface Exchange {
  readonly message: JsonRpcRequest
  readonly options: TransportSendOptions
  readonly stateless: boolean
  readonly repeatable: boolean
  readonly abort: AbortController
  answer: JsonRpcResponse | undefined
  extra: MessageExtra
  /** Ends the wait for an answer that comes on another stream. */
  wake?: () => void
}

const JSON_TYPE = 'application/json'
const SSE_TYPE = 'text/event-stream'
const POST_HEADERS = { 'content-type': JSON_TYPE, accept: `${JSON_TYPE}, ${SSE_TYPE}` }
/** How long a server of the first revision may take to name its endpoint. */
const ENDPOINT_MS = 10_000

const typeOf = (response: Response): string => response.headers.get('content-type') ?? ''
const isStream = (response: Response): boolean => response.ok && typeOf(response).includes(SSE_TYPE)

/**
 * Streamable HTTP for anybody's client: sessions with recovery and resumption, the stateless era, and HTTP+SSE for
 * servers that have only that.
 *
 * @example
 * const client = await createMCPClient({ transport: new HttpTransport('https://example.com/mcp') })
 */
export class HttpTransport implements WebTransport {
  // oxlint-disable-next-line typescript/no-explicit-any -- each client has a message type of its own
  onmessage?: (message: any, extra?: any) => void
  onerror?: (error: Error) => void
  onclose?: () => void
  sessionId?: string
  readonly hasPerRequestStream = true
  readonly supportsProtocolVersionDiscovery: boolean
  readonly waitsForProtocolVersionDiscovery = true
  readonly supportsMcpToolParameterHeaders = true
  readonly place: string

  readonly #options: ResolvedOptions
  readonly #http: HttpFetch
  readonly #bus = new EventBus()
  readonly #exchanges = new Set<Exchange>()
  readonly #closing = new AbortController()
  #version: string | undefined
  #sessionHeaders: Record<string, string> = {}
  #initialize: JsonRpcRequest | undefined
  #renewing: Promise<void> | undefined
  #renewals = 0
  #listening: Promise<void> | undefined
  #dropped = 0
  /** Keeps a failing server from being asked ever more: a retry costs five, a success earns one. */
  #budget = 20
  #legacy: boolean
  /** The address that a server of the first revision named; undefined while its stream is down. */
  #endpoint: string | undefined

  constructor(target: string | URL | HttpTransportOptions) {
    this.#options = resolveOptions(target)
    this.#http = new HttpFetch(this.#options)
    const { url, initialSessionId, initialProtocolVersion, legacy = false } = this.#options
    this.place = url.origin + url.pathname
    this.#legacy = legacy
    this.supportsProtocolVersionDiscovery = !legacy
    this.#version = initialProtocolVersion
    if (initialSessionId) this.sessionId = initialSessionId
    this.#buildHeaders()
  }

  async start(): Promise<void> {}

  /** Sends one message as it is. The answer to a request, or the failure in its place, arrives through `onmessage`. */
  send(message: JsonRpcMessage, options: TransportSendOptions = {}): Promise<void> {
    if (!isRequest(message)) return this.#tell(message, options)
    return new Promise((accepted) => {
      void this.#ask(message, options, accepted).then((exchange) => {
        if (exchange) this.#toClient(exchange.answer!, exchange.extra)
      })
    })
  }

  setProtocolVersion(version: string): void {
    this.#version = version
    this.#buildHeaders()
  }

  setInitialize(message: JsonRpcRequest): void {
    this.#initialize = message
  }

  /** Opens the stream on which the server speaks unasked. Resolves when it is open or the server has none. */
  openStream(): Promise<void> {
    return (this.#listening ??= new Promise((opened) => void this.#listen(opened).then(opened)))
  }

  on<T extends keyof TransportEvents>(type: T, listener: (event: TransportEvents[T]) => void): () => void {
    return this.#bus.on(type, listener)
  }

  redact(text: string): string {
    for (const secret of [this.sessionId, this.#http.token, ...Object.values(this.#options.headers)]) {
      // The words of a header one by one: "Bearer x" must not save x.
      for (const word of secret?.split(' ') ?? []) if (word.length > 5) text = text.replaceAll(word, '•••')
    }
    return text
  }

  async close({ signal = AbortSignal.timeout(5000) }: { signal?: AbortSignal } = {}): Promise<void> {
    if (this.#closing.signal.aborted) return
    this.#closing.abort()
    const waiting = this.#exchanges.size > 0
    for (const { abort } of this.#exchanges) abort.abort()
    if (this.sessionId && this.#options.terminateSessionOnClose !== false) {
      // Servers may refuse to end sessions (405), or be gone: closing succeeds all the same.
      await this.#http.send('DELETE', this.#sessionHeaders, signal).then(discard, () => {})
    } else if (waiting) await pause(0, signal)
    guard(this.onerror, this.onclose)
  }

  #emit<T extends keyof TransportEvents>(type: T, event: TransportEvents[T]): void {
    this.#bus.emit(type, event, this.onerror)
  }

  #toClient(message: JsonRpcMessage, extra?: MessageExtra): void {
    guard(this.onerror, this.onmessage, message, extra)
  }

  #drop(why: string): void {
    this.#emit('dropped', { why, count: ++this.#dropped })
  }

  #error(
    { message, repeatable }: Pick<Exchange, 'message' | 'repeatable'>,
    text: string,
    reason: Reason,
    details?: FailureDetails,
  ): MCPError {
    return failure(this.place, message, this.redact(text), reason, { ...details, repeatable })
  }

  // ─── what is sent ───

  #buildHeaders(): void {
    const headers: Record<string, string> = { ...this.#options.headers, ...POST_HEADERS }
    if (this.sessionId) headers['mcp-session-id'] = this.sessionId
    if (this.#version) headers['mcp-protocol-version'] = this.#version
    this.#sessionHeaders = headers
  }

  #setSession(sessionId: string | undefined): void {
    if (sessionId === this.sessionId) return
    if (sessionId) this.sessionId = sessionId
    else delete this.sessionId
    this.#buildHeaders()
    guard(this.onerror, this.#options.onSessionIdChange, sessionId)
    this.#emit('session', { sessionId, renewed: false })
  }

  /** Headers follow the body: what describes itself is stateless, `initialize` begins, all else is the session's. */
  #headersFor(message: JsonRpcMessage, extra?: Readonly<Record<string, string>>): Record<string, string> {
    const revision = declaredRevision(message)
    const { headers } = this.#options
    if (revision) return { ...headers, ...POST_HEADERS, ...extra, ...statelessHeaders(message, revision) }
    if ('method' in message && message.method === 'initialize') return { ...headers, ...POST_HEADERS }
    return extra ? { ...this.#sessionHeaders, ...extra } : this.#sessionHeaders
  }

  #getHeaders(lastId?: string): Record<string, string> {
    const headers: Record<string, string> = { ...this.#sessionHeaders, accept: SSE_TYPE }
    delete headers['content-type']
    if (lastId) headers['last-event-id'] = lastId
    return headers
  }

  async #satisfies(response: Response): Promise<boolean> {
    const satisfied = await this.#http.satisfies(response)
    if (satisfied) this.#emit('authorized', undefined)
    return satisfied
  }

  /** A notification or an answer of ours: nothing comes back, so a failure is the caller's to know. */
  async #tell(message: JsonRpcMessage, options: TransportSendOptions): Promise<void> {
    const method = 'method' in message ? message.method : 'answer'
    const about = { message: { method } as JsonRpcRequest, repeatable: true }
    const { signal = options.requestSignal ?? this.#closing.signal } = options
    if (this.#closing.signal.aborted) throw this.#error(about, 'was not sent: the client is closed', 'closed')
    for (let challenged = false; ; challenged = true) {
      const headers = this.#headersFor(message, options.headers)
      const response = await this.#http
        .send('POST', headers, signal, JSON.stringify(message), this.#endpoint)
        .catch((error: unknown) => {
          throw signal.aborted ? signal.reason : this.#asFailure(about, error)
        })
      discard(response)
      const { status } = response
      if (response.ok) break
      if (challenged || !(await this.#satisfies(response)))
        throw this.#error(about, `was refused (HTTP ${status})`, 'http', { statusCode: status })
    }
    if (method === 'notifications/initialized' && this.#options.autoOpenStream !== false) void this.openStream()
  }

  // ─── one request ───

  /** Brings a request to its answer or to the failure in its place; to undefined when its caller has left. */
  async #ask(
    message: JsonRpcRequest,
    options: TransportSendOptions,
    accepted?: () => void,
  ): Promise<Exchange | undefined> {
    const abort = new AbortController()
    const exchange: Exchange = {
      message,
      options,
      abort,
      stateless: declaredRevision(message) !== undefined,
      repeatable: options.repeatable ?? mayRepeat(message.method),
      answer: undefined,
      extra: {},
    }
    const { signal: caller = options.requestSignal } = options
    const stop = (): void => abort.abort()
    let release: (() => void) | undefined
    caller?.addEventListener('abort', stop)
    this.#exchanges.add(exchange)
    try {
      if (this.#closing.signal.aborted || caller?.aborted) throw undefined
      if (message.method === 'subscriptions/listen') release = await takeStreamSlot(this.#options.url.origin, () => {})
      await this.#attempt(exchange, accepted)
      if (!exchange.answer) throw undefined
    } catch (error) {
      if (caller?.aborted) return undefined
      const failed = this.#closing.signal.aborted
        ? this.#error(exchange, 'was not answered: the client was closed', 'closed', { lost: true })
        : this.#asFailure(exchange, error)
      const { code, message: text, data } = failed
      exchange.answer = {
        jsonrpc: '2.0',
        id: message.id,
        error: data === undefined ? { code, message: text } : { code, message: text, data },
      }
      exchange.extra = { failure: failed }
    } finally {
      release?.()
      accepted?.()
      this.#exchanges.delete(exchange)
      caller?.removeEventListener('abort', stop)
    }
    return caller?.aborted ? undefined : exchange
  }

  /** Whatever was thrown on the way, in words. */
  #asFailure(about: Pick<Exchange, 'message' | 'repeatable'>, cause: unknown): MCPError {
    if (cause instanceof MCPError) {
      const { reason, statusCode } = cause
      return cause.method ? cause : this.#error(about, cause.message, reason, { statusCode })
    }
    if (cause instanceof SseTooLarge) {
      return this.#error(about, `was answered with more than ${this.#options.maxMessageBytes} bytes`, 'too-large', {
        lost: true,
      })
    }
    const code = (cause as { cause?: { code?: string } } | undefined)?.cause?.code
    const why =
      globalThis.location && !code
        ? 'the server is down, or its CORS headers do not admit this page'
        : (code ?? 'the connection broke')
    return this.#error(about, `got no answer: ${why}`, 'network', { lost: !wasNotSent(cause), cause })
  }

  /** Sends the request, again where the retry law allows it, and reads its answer. */
  async #attempt(exchange: Exchange, accepted: (() => void) | undefined): Promise<void> {
    const { message, options, stateless, repeatable } = exchange
    const { signal } = exchange.abort
    const begins = message.method === 'initialize'
    if (begins) this.#initialize = message
    if (options.resumptionToken) return this.#resume(exchange, options.resumptionToken)
    const body = JSON.stringify(message)
    let challenged = false
    let renewed = false
    for (let attempt = 0; ; attempt++) {
      if (!begins && this.#renewing) await this.#renewing.catch(() => {})
      if (this.#legacy) return this.#askLegacy(exchange, body)
      const { sessionId } = this
      let response: Response
      try {
        response = await this.#http.send('POST', this.#headersFor(message, options.headers), signal, body)
      } catch (error) {
        if (wasNotSent(error) && (await this.#mayTryAgain(exchange, attempt, undefined, 'network'))) continue
        throw error
      }
      accepted?.()
      const { ok, status, headers } = response
      if (ok) {
        if (this.#budget < 20) this.#budget++
        if (begins && !stateless) this.#setSession(headers.get('mcp-session-id') ?? undefined)
        return this.#readAnswer(exchange, response)
      }
      const text = await readText(response, 65_536).catch(() => '')
      const refusal = readErrorBody(text)
      if (!challenged && (await this.#satisfies(response))) {
        challenged = true
        continue
      }
      if (sessionId && !stateless && !begins && forgetsSession(status, refusal?.error)) {
        if (renewed) throw this.#error(exchange, 'lost its session twice', 'session-expired')
        renewed = true
        await this.#renew(sessionId, exchange)
        continue
      }
      const waitMs = retryAfterMs(headers.get('retry-after'))
      // A 429 is a refusal before anything ran; the 5xx of a gateway is not.
      const again =
        status === 429
          ? repeatable || (attempt === 0 && waitMs !== undefined)
          : repeatable && status > 501 && status < 505
      if (again && (await this.#mayTryAgain(exchange, attempt, waitMs, `HTTP ${status}`))) continue
      if (begins && !refusal && /^40[045]$/.test(`${status}`) && (await this.#openLegacy().catch(() => false))) {
        this.#legacy = true
        continue
      }
      if (refusal && status !== 401 && status !== 429) {
        exchange.answer = { ...refusal, id: message.id }
        exchange.extra = { statusCode: status }
        return
      }
      const details = { statusCode: status, retryAfterMs: waitMs, lost: status > 499 }
      if (status === 401) throw this.#error(exchange, 'needs authorization (HTTP 401)', 'unauthorized', details)
      throw this.#error(
        exchange,
        `failed with HTTP ${status}${/^[\s<]*$|^</.test(text) ? '' : `: ${quote(text)}`}`,
        'http',
        details,
      )
    }
  }

  /** Waits for the next attempt if there may be one. */
  async #mayTryAgain(
    { message, options, abort }: Exchange,
    attempt: number,
    afterMs: number | undefined,
    reason: string,
  ): Promise<boolean> {
    const { maxRetries, backoff } = this.#options
    const waitMs = afterMs ?? backoffMs(attempt, backoff)
    if (attempt >= maxRetries || waitMs > 60_000 || this.#budget < 5) return false
    this.#budget -= 5
    this.#emit('retry', { method: message.method, attempt: attempt + 1, waitMs, reason })
    options.onactivity?.(waitMs)
    await pause(waitMs, abort.signal)
    return true
  }

  async #readAnswer(exchange: Exchange, response: Response): Promise<void> {
    if (isStream(response)) {
      const stream = this.#streamFor(exchange)
      await this.#readStream(stream, response, exchange)
      if (!exchange.answer) await this.#resume(exchange, stream.lastId, stream)
      return
    }
    const type = typeOf(response)
    const text = await readText(response, this.#options.maxMessageBytes)
    if (type.includes('json')) this.#receive(text, exchange)
    if (exchange.answer) return
    const { status } = response
    const details = { statusCode: status, lost: true }
    throw this.#error(
      exchange,
      `was answered with no MCP message (HTTP ${status}, ${quote(type)}): ${quote(text)}`,
      'protocol',
      details,
    )
  }

  /** Sorts what arrived: answers to their own request only, the rest to the client. */
  #receive(text: string, exchange?: Exchange): void {
    let value: unknown
    try {
      value = parseJson(text)
    } catch (cause) {
      this.#drop('no JSON')
      // Within an answer its own request tells of it.
      if (!exchange)
        guard(undefined, this.onerror, new MCPError(`${this.place} sent what is no JSON`, 'protocol', { cause }))
      return
    }
    if (Array.isArray(value) && allowsBatches(this.#version)) for (const item of value) this.#sort(item, '', exchange)
    else this.#sort(value, text, exchange)
  }

  #sort(value: unknown, text: string, exchange?: Exchange): void {
    const message = asMessage(value)
    if (!message) return this.#drop('no JSON-RPC message')
    if (!isResponse(message)) {
      if (!isRequest(message)) this.#emit('notification', message)
      else if (exchange?.stateless) return this.#drop('a request, which servers of this era may not send')
      return this.#toClient(message)
    }
    if (this.#legacy) for (const asking of this.#exchanges) if (asking.message.id === message.id) exchange = asking
    // A server that could not read the request answers without its id; the stream tells whose it is.
    if (!exchange || (message.id != null && message.id !== exchange.message.id))
      return this.#drop('an answer nobody waits for here')
    if (exchange.answer) return this.#drop('a second answer')
    exchange.answer = message.id == null ? { ...message, id: exchange.message.id } : message
    exchange.extra = { text }
    exchange.wake?.()
  }

  // ─── streams ───

  #streamFor(exchange?: Exchange, onother?: (event: string, data: string) => void): EventStream {
    return new EventStream(this.#options.maxMessageBytes, (data) => this.#receive(data, exchange), onother)
  }

  /** Reads a connection of an answer's stream; tells whether it brought the answer. */
  async #readStream(stream: EventStream, response: Response, exchange: Exchange): Promise<boolean> {
    const { abort, options } = exchange
    const enough = (alive: boolean): boolean => {
      if (alive) options.onactivity?.(0)
      return exchange.answer !== undefined
    }
    await stream.read(response, enough, () => abort.abort(), options.onresumptiontoken)
    return exchange.answer !== undefined
  }

  /** The stream ended without the answer: goes on after the last event where there is one, else the answer is lost. */
  async #resume(exchange: Exchange, lastId: string | undefined, stream = this.#streamFor(exchange)): Promise<void> {
    const { abort, options, stateless } = exchange
    let why = 'ended its answer early'
    if (lastId && !stateless) {
      stream.lastId = lastId
      const read = (response: Response): Promise<boolean> => this.#readStream(stream, response, exchange)
      const status = await this.#follow(stream, abort.signal, this.#options.reconnects, read)
      if (exchange.answer) return abort.abort() // the server may keep this connection open
      if (status) why += ` and does not resume it (HTTP ${status})`
    }
    options.onRequestStreamEnd?.()
    throw this.#error(exchange, why, 'network', { lost: true })
  }

  /**
   * Connects a stream again and again, until `read` has what it waits for or the server refuses and `mend` finds no
   * remedy: then tells the status of the refusal.
   */
  async #follow(
    stream: EventStream,
    signal: AbortSignal,
    bound: number,
    read: (response: Response) => Promise<boolean>,
    mend?: (status: number, response: Response | undefined, sessionId: string | undefined) => Promise<boolean>,
  ): Promise<number> {
    let status = 0
    for (let tries = 0, first = !stream.lastId; tries < bound; first = false) {
      if (!first) await pause(stream.pauseMs(tries++, backoffMs(tries, this.#options.backoff)), signal)
      const { lastId, messages } = stream
      const { sessionId } = this
      const began = Date.now()
      const response = await this.#http.send('GET', this.#getHeaders(lastId), signal).catch((error: unknown) => {
        if (error instanceof MCPError || signal.aborted) throw error
        return undefined
      })
      status = response?.status ?? 0
      if (response && isStream(response)) {
        if (await read(response)) return 0
        // A server may let us poll for hours at a decent pace; only what brings nothing at once counts.
        const polled = stream.lastId !== lastId && (stream.retryMs ?? 0) >= 1000
        if (polled || stream.messages > messages || Date.now() - began > 10_000) tries = 0
      } else {
        if (response) discard(response)
        const passing = !response || status === 409 || status === 429 || status > 499
        if (!(await mend?.(status, response, sessionId)) && !passing) return status
      }
    }
    return status
  }

  /** The server's own stream, for as long as this transport is open. */
  async #listen(opened: () => void): Promise<void> {
    const { signal } = this.#closing
    const release = await takeStreamSlot(this.#options.url.origin, opened)
    const stream = this.#streamFor()
    stream.idleMs = this.#options.streamIdleMs
    let mended = false
    const read = async (response: Response): Promise<boolean> => {
      opened()
      mended = false
      await stream.read(response, () => signal.aborted)
      return signal.aborted
    }
    const mend = async (
      status: number,
      response: Response | undefined,
      sessionId: string | undefined,
    ): Promise<boolean> => {
      opened()
      if (mended || !response) return false
      mended = true
      if (status !== 404 || !sessionId) return this.#satisfies(response)
      await this.#renew(sessionId, { message: { method: 'GET' } as JsonRpcRequest, repeatable: true })
      stream.lastId = undefined
      return true
    }
    try {
      await this.#follow(stream, signal, Infinity, read, mend)
    } catch (error) {
      if (!signal.aborted)
        guard(
          undefined,
          this.onerror,
          this.#asFailure({ message: { method: 'GET' } as JsonRpcRequest, repeatable: true }, error),
        )
    }
    release()
  }

  // ─── the session ───

  /** One new session, however many requests find the old one gone. */
  #renew(expired: string | undefined, about: Pick<Exchange, 'message' | 'repeatable'>): Promise<void> {
    if (this.#renewing || this.sessionId !== expired) return this.#renewing ?? Promise.resolve()
    if (expired) guard(this.onerror, this.#options.onSessionExpired, expired)
    this.#setSession(undefined)
    const renewing = this.#beginAnew()
      .catch((cause: unknown) => {
        throw this.#error(
          about,
          'was refused: its session has expired, and no new one could be made',
          'session-expired',
          { cause },
        )
      })
      .finally(() => {
        this.#renewing = undefined
      })
    return (this.#renewing = renewing)
  }

  async #beginAnew(): Promise<void> {
    const initialize = this.#initialize
    if (!initialize) throw new TypeError('This transport did not begin the session')
    // An id of our own: the client never sees this exchange, and none of its ids may be used twice.
    const exchange = await this.#ask({ ...initialize, id: `renew-${++this.#renewals}` }, {})
    this.#initialize = initialize
    if (!exchange?.answer || 'error' in exchange.answer) throw exchange?.extra.failure
    this.setProtocolVersion(String(exchange.answer.result['protocolVersion']))
    await this.#tell({ jsonrpc: '2.0', method: 'notifications/initialized' }, {})
    this.#emit('session', { sessionId: this.sessionId, renewed: true })
  }

  // ─── HTTP+SSE, the transport of the first revision ───

  /** Opens the one stream on which such a server answers everything; false when there is none. */
  async #openLegacy(): Promise<boolean> {
    const response = await this.#http.send('GET', this.#getHeaders(), this.#closing.signal)
    if (!isStream(response)) {
      discard(response)
      return false
    }
    const { url } = this.#options
    return new Promise((resolve) => {
      const stream = this.#streamFor(undefined, (event, data) => {
        // On another origin it would receive our headers.
        if (event !== 'endpoint' || !URL.canParse(data, url) || new URL(data, url).origin !== url.origin) return
        this.#endpoint = new URL(data, url).href
        stream.idleMs = 0
        resolve(true)
      })
      stream.idleMs = ENDPOINT_MS
      const ended = (): void => {
        this.#endpoint = undefined
        resolve(false)
        for (const { abort } of this.#exchanges) abort.abort()
      }
      stream.read(response, () => false).then(ended, ended)
    })
  }

  async #askLegacy(exchange: Exchange, body: string): Promise<void> {
    const { message, abort } = exchange
    if (!this.#endpoint) {
      if (message.method !== 'initialize') await this.#renew(undefined, exchange)
      else if (!(await this.#openLegacy())) throw this.#error(exchange, 'found no HTTP+SSE stream', 'protocol')
    }
    const settled = new Promise<void>((resolve) => {
      exchange.wake = resolve
      abort.signal.addEventListener('abort', () => resolve())
    })
    const response = await this.#http.send('POST', this.#headersFor(message), abort.signal, body, this.#endpoint)
    discard(response)
    const { ok, status } = response
    if (!ok)
      throw this.#error(exchange, `failed with HTTP ${status}`, status === 401 ? 'unauthorized' : 'http', {
        statusCode: status,
        lost: status > 499,
      })
    await settled
  }
}

/** The server does not know our session any more. The specification says 404; the official server says 400. */
function forgetsSession(status: number, error: { code: number; message: string } | undefined): boolean {
  return status === 404 || (status === 400 && error?.code === -32000 && /session|not initialized/i.test(error.message))
}
