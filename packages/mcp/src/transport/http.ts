import { type FailureDetails, MCPError, quote } from '../errors.ts'
import {
  asMessage,
  isRequest,
  isResponse,
  type JsonRpcMessage,
  type JsonRpcRequest,
  type JsonRpcResponse,
  parseJson,
  type RequestId,
  readErrorBody,
} from '../jsonrpc.ts'
import { declaredRevision, statelessHeaders } from '../wire/http-headers.ts'
import { allowsBatches } from '../wire/revisions.ts'
import { type HttpTransportOptions, resolveOptions } from './http-options.ts'
import { readText } from './read-text.ts'
import { backoffMs, mayRepeat, pause, RetryBudget, retryAfterMs, wasNotSent } from './retry-law.ts'
import { SeenEvents } from './seen-events.ts'
import { createSseParser, SseTooLarge } from './sse.ts'
import { takeStreamSlot } from './stream-slots.ts'
import type { MessageExtra, TransportEvents, TransportSendOptions, WebTransport } from './transport.ts'

export type { HttpTransportOptions } from './http-options.ts'

type Deliver = (answer: JsonRpcResponse, extra: MessageExtra) => void

/** One request on its way to its answer. */
interface Exchange {
  readonly message: JsonRpcRequest
  readonly options: TransportSendOptions
  readonly stateless: boolean
  readonly repeatable: boolean
  readonly abort: AbortController
  readonly deliver: Deliver
  answered: boolean
}

/** One stream of events: what was seen on it, and how to go on after a break. */
interface EventStream {
  seen: SeenEvents
  lastId: string | undefined
  retryMs: number | undefined
  /** Messages so far: a reconnect that brings none counts against the bound. */
  messages: number
}

const newStream = (lastId?: string): EventStream => ({
  seen: new SeenEvents(),
  lastId,
  retryMs: undefined,
  messages: 0,
})

const JSON_TYPE = 'application/json'
const SSE_TYPE = 'text/event-stream'
const POST_HEADERS = { 'content-type': JSON_TYPE, accept: `${JSON_TYPE}, ${SSE_TYPE}` }
const LEGACY_WAIT_MS = 10_000
/** A server that keeps the stream open after its answer gets this long to end it. */
const DRAIN_MS = 1000

const typeOf = (response: Response): string => response.headers.get('content-type') ?? ''
const discard = (response: Response): void => void response.body?.cancel().catch(() => {})

/** What a request does, for messages: `tools/call search`. */
export function deedOf({ method, params }: { method: string; params?: JsonRpcRequest['params'] }): string {
  const about = params?.['name'] ?? params?.['uri']
  return typeof about === 'string' ? `${method} ${quote(about)}` : method
}

/**
 * Streamable HTTP for anybody's client: sessions with recovery and resumption, the stateless era, and HTTP+SSE for
 * servers that have only that.
 *
 * @example
 * const client = await createMCPClient({ transport: new HttpTransport('https://example.com/mcp') })
 */
export class HttpTransport implements WebTransport {
  // biome-ignore lint/suspicious/noExplicitAny: each client has a message type of its own
  onmessage?: (message: any, extra?: any) => void
  onerror?: (error: Error) => void
  onclose?: () => void
  sessionId?: string
  readonly hasPerRequestStream = true
  readonly supportsProtocolVersionDiscovery: boolean
  readonly waitsForProtocolVersionDiscovery = true
  readonly supportsMcpToolParameterHeaders = true
  readonly place: string

  readonly #options: ReturnType<typeof resolveOptions>
  readonly #budget = new RetryBudget()
  readonly #exchanges = new Set<Exchange>()
  readonly #listeners = new Map<string, Set<(event: never) => void>>()
  readonly #closing = new AbortController()
  #version: string | undefined
  #sessionHeaders: Record<string, string> = {}
  #initialize: JsonRpcRequest | undefined
  #renewing: Promise<void> | undefined
  #renewals = 0
  #listening: Promise<void> | undefined
  #token: string | undefined
  #dropped = 0
  /** The address that a server of the first revision gave us; undefined while its stream is down. */
  #legacyEndpoint: string | undefined
  #legacy: boolean

  constructor(target: string | URL | HttpTransportOptions) {
    this.#options = resolveOptions(target)
    const { url, initialSessionId, initialProtocolVersion, legacy } = this.#options
    this.place = url.origin + url.pathname
    this.#legacy = legacy ?? false
    this.supportsProtocolVersionDiscovery = !this.#legacy
    this.#version = initialProtocolVersion
    if (initialSessionId !== undefined) this.sessionId = initialSessionId
    this.#buildHeaders()
  }

  async start(): Promise<void> {}

  /** Sends one message as it is. The answer to a request, or the failure in its place, arrives through `onmessage`. */
  send(message: JsonRpcMessage, options: TransportSendOptions = {}): Promise<void> {
    if (isRequest(message)) {
      return new Promise((accepted) => {
        void this.#exchange(message, options, (answer, extra) => this.#toClient(answer, extra), accepted)
      })
    }
    return this.#notify(message, options)
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
    return (this.#listening ??= new Promise((opened) => void this.#listen(opened)))
  }

  on<T extends keyof TransportEvents>(type: T, listener: (event: TransportEvents[T]) => void): () => void {
    let set = this.#listeners.get(type)
    if (!set) this.#listeners.set(type, (set = new Set()))
    set.add(listener)
    return () => void set.delete(listener)
  }

  redact(text: string): string {
    const { headers } = this.#options
    for (const secret of [this.sessionId, this.#token, ...Object.values(headers ?? {})]) {
      // The words of a header are looked for one by one: "Bearer x" must not save x.
      for (const word of secret?.split(' ') ?? []) if (word.length > 5) text = text.replaceAll(word, '•••')
    }
    return text
  }

  async close(options: { signal?: AbortSignal } = {}): Promise<void> {
    if (this.#closing.signal.aborted) return
    this.#closing.abort(new MCPError(`${this.place} was closed`, { reason: 'closed' }))
    for (const exchange of this.#exchanges) {
      exchange.abort.abort()
      this.#fail(exchange, this.#error('was closed before its answer', exchange, { reason: 'closed' }))
    }
    if (this.sessionId !== undefined && this.#options.terminateSessionOnClose !== false && !this.#legacy) {
      const signal = options.signal ?? AbortSignal.timeout(5000)
      // Servers may refuse to end sessions (405), or be gone: closing succeeds all the same.
      await this.#fetch('DELETE', this.#sessionHeaders, undefined, signal).then(discard, () => {})
    }
    this.onclose?.()
  }

  // ─── events ───

  #emit<T extends keyof TransportEvents>(type: T, event: TransportEvents[T]): void {
    for (const listener of this.#listeners.get(type) ?? []) this.#guarded(listener as (e: TransportEvents[T]) => void, event)
  }

  /** What a listener throws must not break the stream it listens to. */
  #guarded<T>(call: ((value: T, extra?: MessageExtra) => void) | undefined, value: T, extra?: MessageExtra): void {
    try {
      call?.(value, extra)
    } catch (error) {
      this.#report(error as Error)
    }
  }

  #report(error: Error): void {
    try {
      this.onerror?.(error)
    } catch {}
  }

  #toClient(message: JsonRpcMessage, extra?: MessageExtra): void {
    this.#guarded(this.onmessage, message, extra)
  }

  #drop(why: string): void {
    this.#emit('dropped', { why, count: ++this.#dropped })
  }

  #error(text: string, { message, repeatable }: Pick<Exchange, 'message' | 'repeatable'>, details: FailureDetails): MCPError {
    const advice = details.lost && !repeatable ? '. It may have run: check before you run it again' : ''
    return new MCPError(this.redact(`${deedOf(message)} at ${this.place} ${text}`) + advice, {
      ...details,
      method: message.method,
      repeatable,
    })
  }

  #answer(exchange: Exchange, answer: JsonRpcResponse, extra: MessageExtra): void {
    if (exchange.answered) return this.#drop('a second answer')
    exchange.answered = true
    exchange.deliver(answer, extra)
  }

  #fail(exchange: Exchange, failure: MCPError): void {
    if (exchange.answered) return
    const { code, message, data } = failure
    const error = data === undefined ? { code, message } : { code, message, data }
    this.#answer(exchange, { jsonrpc: '2.0', id: exchange.message.id, error }, { failure })
  }

  // ─── HTTP ───

  #buildHeaders(): void {
    this.#sessionHeaders = { ...this.#options.headers, ...POST_HEADERS }
    if (this.sessionId !== undefined) this.#sessionHeaders['mcp-session-id'] = this.sessionId
    if (this.#version !== undefined) this.#sessionHeaders['mcp-protocol-version'] = this.#version
  }

  #setSession(sessionId: string | undefined, renewed = false): void {
    if (sessionId === this.sessionId) return
    if (sessionId === undefined) delete this.sessionId
    else this.sessionId = sessionId
    this.#buildHeaders()
    this.#guarded(this.#options.onSessionIdChange, sessionId)
    this.#emit('session', { sessionId, renewed })
  }

  /** Headers follow the body: what describes itself is stateless, `initialize` begins, all else is the session's. */
  #headersFor(message: JsonRpcMessage, extra: TransportSendOptions['headers']): Record<string, string> {
    const revision = declaredRevision(message)
    if (revision !== undefined)
      return { ...this.#options.headers, ...POST_HEADERS, ...extra, ...statelessHeaders(message, revision) }
    if ('method' in message && message.method === 'initialize') return { ...this.#options.headers, ...POST_HEADERS }
    return extra ? { ...this.#sessionHeaders, ...extra } : this.#sessionHeaders
  }

  async #fetch(
    method: string,
    headers: Record<string, string>,
    body: string | undefined,
    signal: AbortSignal,
    url: string = this.#options.url.href,
    hops = 0,
  ): Promise<Response> {
    const { fetch = globalThis.fetch, tokenSource, redirect } = this.#options
    if (tokenSource) {
      this.#token = await tokenSource.token()
      if (this.#token !== undefined) headers = { ...headers, authorization: `Bearer ${this.#token}` }
    }
    const init: RequestInit = { method, headers, redirect: 'manual', signal }
    if (body !== undefined) init.body = body
    const response = await fetch(url, init)
    if (response.type !== 'opaqueredirect' && !(response.status > 300 && response.status < 309)) return response
    discard(response)
    const location = response.headers.get('location')
    const target = location !== null && URL.canParse(location, url) ? new URL(location, url) : undefined
    if (redirect === 'follow' && hops < 3 && response.status > 306 && target?.origin === this.#options.url.origin)
      return this.#fetch(method, headers, body, signal, target.href, hops + 1)
    throw new MCPError(`redirects to ${target ? `${target.protocol}//${target.host}${target.pathname}` : 'another address'}: use that address if you trust it`, {
      reason: 'redirect',
      statusCode: response.status,
    })
  }

  /** A notification or an answer of ours: nothing comes back, so a failure is the caller's to know. */
  async #notify(message: JsonRpcMessage, options: TransportSendOptions): Promise<void> {
    const method = 'method' in message ? message.method : 'answer'
    const about = { message: { ...message, method } as JsonRpcRequest, repeatable: true }
    if (this.#closing.signal.aborted) throw this.#error('was not sent: the client is closed', about, { reason: 'closed' })
    const signal = options.signal ?? options.requestSignal ?? this.#closing.signal
    for (let challenged = false; ; challenged = true) {
      let response: Response
      try {
        const headers = this.#headersFor(message, options.headers)
        response = await this.#fetch('POST', headers, JSON.stringify(message), signal, this.#legacyEndpoint)
      } catch (cause) {
        if (signal.aborted) throw signal.reason
        throw this.#error(this.#whyLost(cause), about, { reason: 'network', cause })
      }
      discard(response)
      if (response.ok) break
      if (!challenged && (await this.#satisfies(response))) continue
      throw this.#error(`was refused with HTTP ${response.status}`, about, { reason: 'http', statusCode: response.status })
    }
    if (method === 'notifications/initialized' && this.#options.autoOpenStream !== false) void this.openStream()
  }

  #whyLost(cause: unknown): string {
    if (cause instanceof MCPError) return cause.message
    const why = (cause as { cause?: { code?: string } } | undefined)?.cause?.code
    if (globalThis.location && !why) return 'got no answer: the server is down, or its CORS headers do not admit this page'
    return `got no answer (${why ?? 'the connection broke'})`
  }

  /** Lets the token source answer a refusal. */
  async #satisfies(response: Response): Promise<boolean> {
    const { tokenSource } = this.#options
    const { status, headers } = response
    if (!tokenSource || (status !== 401 && status !== 403)) return false
    const wwwAuthenticate = headers.get('www-authenticate') ?? undefined
    const satisfied = await tokenSource.challenge({ status, wwwAuthenticate, token: this.#token })
    if (satisfied) this.#emit('authorized', undefined)
    return satisfied
  }

  // ─── one request ───

  async #exchange(
    message: JsonRpcRequest,
    options: TransportSendOptions,
    deliver: Deliver,
    accepted?: () => void,
  ): Promise<void> {
    const abort = new AbortController()
    const exchange: Exchange = {
      message,
      options,
      deliver,
      abort,
      stateless: declaredRevision(message) !== undefined,
      repeatable: options.repeatable ?? mayRepeat(message.method),
      answered: false,
    }
    const { signal, requestSignal } = options
    const stop = (): void => {
      exchange.answered = true // the caller has left: nothing may be delivered any more
      abort.abort()
    }
    if (signal?.aborted || requestSignal?.aborted) stop()
    signal?.addEventListener('abort', stop)
    requestSignal?.addEventListener('abort', stop)
    this.#exchanges.add(exchange)
    if (this.#closing.signal.aborted) this.#fail(exchange, this.#error('was not sent: the client is closed', exchange, { reason: 'closed' }))
    let release: (() => void) | undefined
    try {
      if (message.method === 'subscriptions/listen') release = await takeStreamSlot(this.#options.url.origin, () => {})
      if (!exchange.answered) await this.#attempt(exchange, accepted)
    } catch (error) {
      if (error instanceof SseTooLarge) {
        abort.abort()
        const limit = this.#options.maxMessageBytes
        this.#fail(exchange, this.#error(`was answered with more than ${limit} bytes`, exchange, { reason: 'too-large', lost: true }))
      } else if (error instanceof MCPError) this.#fail(exchange, error)
      else this.#fail(exchange, this.#error(this.#whyLost(error), exchange, { reason: 'network', lost: true, cause: error }))
    } finally {
      release?.()
      accepted?.()
      this.#exchanges.delete(exchange)
      signal?.removeEventListener('abort', stop)
      requestSignal?.removeEventListener('abort', stop)
    }
  }

  /** Sends the request, again where the retry law allows it, and reads its answer. */
  async #attempt(exchange: Exchange, accepted: (() => void) | undefined): Promise<void> {
    const { message, options, stateless, repeatable } = exchange
    const { signal } = exchange.abort
    const { method } = message
    const begins = method === 'initialize'
    if (options.resumptionToken !== undefined) return this.#resume(exchange, newStream(options.resumptionToken))
    if (begins) this.#initialize = message
    const body = JSON.stringify(message)
    let challenged = false
    let renewed = false
    for (let attempt = 0; ; attempt++) {
      if (!begins && this.#renewing) await this.#renewing.catch(() => {})
      if (this.#legacy) return this.#legacyExchange(exchange, body)
      const { sessionId } = this
      let response: Response
      try {
        response = await this.#fetch('POST', this.#headersFor(message, options.headers), body, signal)
      } catch (cause) {
        if (signal.aborted) return
        if (cause instanceof MCPError) throw this.#error(cause.message, exchange, { reason: cause.reason, statusCode: cause.statusCode })
        const notSent = wasNotSent(cause)
        if (notSent && (await this.#mayTryAgain(exchange, attempt, undefined, 'network'))) continue
        throw this.#error(this.#whyLost(cause), exchange, { reason: 'network', lost: !notSent, cause })
      }
      accepted?.()
      if (response.ok) {
        this.#budget.earn()
        if (begins && !stateless) this.#setSession(response.headers.get('mcp-session-id') ?? undefined)
        return this.#readAnswer(exchange, response)
      }
      const { status } = response
      const text = await readText(response, 65_536).catch(() => '')
      const refusal = readErrorBody(text)
      if (!challenged && (await this.#satisfies(response))) {
        challenged = true
        continue
      }
      if (status === 401) throw this.#error('needs authorization (HTTP 401)', exchange, { reason: 'unauthorized', statusCode: 401 })
      if (sessionId !== undefined && !stateless && !begins && forgetsSession(status, refusal?.error)) {
        if (renewed) throw this.#error('lost its session twice', exchange, { reason: 'session-expired', statusCode: status })
        renewed = true
        await this.#renew(sessionId, exchange)
        continue
      }
      const busy = status === 429
      const waitMs = retryAfterMs(response.headers.get('retry-after'))
      // A 429 is a refusal before anything ran; a gateway's 5xx is not.
      const again = busy ? repeatable || (attempt === 0 && waitMs !== undefined) : repeatable && /^50[234]$/.test(`${status}`)
      if (again && (await this.#mayTryAgain(exchange, attempt, waitMs, `HTTP ${status}`))) continue
      if (begins && !refusal && /^40[045]$/.test(`${status}`) && (await this.#openLegacy().catch(() => false))) {
        this.#legacy = true
        continue
      }
      if (refusal && !busy) return this.#answer(exchange, { ...refusal, id: message.id }, { statusCode: status })
      throw this.#error(`failed with HTTP ${status}${text && !text.startsWith('<') ? `: ${quote(text)}` : ''}`, exchange, {
        reason: 'http',
        statusCode: status,
        retryAfterMs: waitMs,
        lost: status > 499,
      })
    }
  }

  /** Waits for the next attempt if there may be one. */
  async #mayTryAgain(exchange: Exchange, attempt: number, afterMs: number | undefined, reason: string): Promise<boolean> {
    const { maxRetries, backoff } = this.#options
    const waitMs = afterMs ?? backoffMs(attempt, backoff)
    if (attempt >= maxRetries || waitMs > 60_000 || !this.#budget.take()) return false
    this.#emit('retry', { method: exchange.message.method, attempt: attempt + 1, waitMs, reason })
    exchange.options.onactivity?.(waitMs)
    await pause(waitMs, exchange.abort.signal)
    return true
  }

  async #readAnswer(exchange: Exchange, response: Response): Promise<void> {
    const type = typeOf(response)
    const { maxMessageBytes } = this.#options
    if (type.includes(SSE_TYPE)) {
      const stream = newStream()
      await this.#pump(response, stream, exchange)
      if (!exchange.answered) await this.#resume(exchange, stream)
      return
    }
    const text = await readText(response, maxMessageBytes)
    if (type.includes('json')) {
      this.#receive(text, exchange)
      if (exchange.answered) return
    }
    const what = text === '' ? 'no content' : `${quote(type)}: ${quote(text)}`
    throw this.#error(`was answered with HTTP ${response.status} and no MCP message (${what})`, exchange, {
      reason: 'protocol',
      statusCode: response.status,
      lost: true,
    })
  }

  /** Sorts what arrived: answers to their own request only, the rest to the client. */
  #receive(text: string, exchange: Exchange | undefined): void {
    let value: unknown
    try {
      value = parseJson(text)
    } catch (cause) {
      this.#drop('no JSON')
      // Within an answer its own request tells of it.
      if (exchange) return
      return this.#report(new MCPError(`${this.place} sent what is no JSON: ${this.redact(quote(text))}`, { reason: 'protocol', cause }))
    }
    if (Array.isArray(value) && allowsBatches(this.#version)) for (const item of value) this.#sort(item, '', exchange)
    else this.#sort(value, text, exchange)
  }

  #sort(value: unknown, text: string, exchange: Exchange | undefined): void {
    const message = asMessage(value)
    if (!message) return this.#drop('no JSON-RPC message')
    if (isResponse(message)) {
      if (exchange && (message.id === exchange.message.id || message.id == null)) {
        if (message.id == null) this.#answer(exchange, { ...message, id: exchange.message.id }, { text })
        else this.#answer(exchange, message, { text })
      } else this.#drop('an answer that nobody waits for here')
    } else if (!isRequest(message)) {
      this.#emit('notification', message)
      this.#toClient(message)
    } else if (exchange?.stateless) this.#drop('a request, which servers of this revision may not send')
    else this.#toClient(message)
  }

  /** Reads a stream to its end or to the answer. Resolves in both cases; throws only when an event is too large. */
  async #pump(response: Response, stream: EventStream, exchange: Exchange | undefined, onchunk?: () => void): Promise<void> {
    const { options } = exchange ?? {}
    const parser = createSseParser(
      {
        message: (data, event, id) => {
          if (data === '' || (event !== '' && event !== 'message') || !stream.seen.add(id, data)) return
          stream.messages++
          this.#receive(data, exchange)
        },
        id: (id) => {
          stream.lastId = id
          options?.onresumptiontoken?.(id)
        },
        retry: (ms) => {
          stream.retryMs = ms
        },
      },
      this.#options.maxMessageBytes,
    )
    const reader = response.body?.getReader()
    try {
      for (;;) {
        const chunk = await reader?.read()
        if (!chunk || chunk.done) return
        if (parser.feed(chunk.value)) options?.onactivity?.(0)
        onchunk?.()
        if (exchange?.answered) return void drain(reader!, exchange.abort)
      }
    } catch (error) {
      if (error instanceof SseTooLarge) {
        reader?.cancel().catch(() => {})
        throw error
      }
      // A broken stream is one that ended: what is missing shows in what was delivered.
    }
  }

  /** The stream ended without the answer: goes on after the last event where there is one, else the answer is lost. */
  async #resume(exchange: Exchange, stream: EventStream): Promise<void> {
    const { signal } = exchange.abort
    const { reconnects } = this.#options
    let tries = 0
    let why = 'ended its answer early'
    while (!exchange.stateless && stream.lastId && tries < reconnects) {
      if (signal.aborted) return
      await pause(this.#reconnectMs(stream, tries++), signal)
      const { messages, lastId } = stream
      let response: Response
      try {
        response = await this.#fetch('GET', this.#getHeaders(lastId), undefined, signal)
      } catch {
        continue
      }
      if (!response.ok || !typeOf(response).includes(SSE_TYPE)) {
        discard(response)
        why = `ended its answer early and does not resume it (HTTP ${response.status})`
        if (response.status === 429 || response.status > 499) continue
        break
      }
      const began = Date.now()
      exchange.options.onactivity?.(0)
      await this.#pump(response, stream, exchange)
      if (exchange.answered) return exchange.abort.abort()
      // A server may let us poll for hours, at a decent pace; only what brings nothing at once counts.
      const polled = stream.lastId !== lastId && (stream.retryMs ?? 0) >= 1000
      if (polled || stream.messages > messages || Date.now() - began > 10_000) tries = 0
    }
    if (signal.aborted) return
    exchange.options.onRequestStreamEnd?.()
    throw this.#error(why, exchange, { reason: 'network', lost: true })
  }

  #reconnectMs({ retryMs }: EventStream, tries: number): number {
    const asked = retryMs === undefined ? undefined : Math.min(Math.max(retryMs, 250), 30_000)
    if (asked !== undefined && tries === 0) return asked
    return Math.max(asked ?? 0, backoffMs(tries, this.#options.backoff))
  }

  #getHeaders(lastId?: string): Record<string, string> {
    const headers: Record<string, string> = { ...this.#sessionHeaders, accept: SSE_TYPE }
    delete headers['content-type']
    if (lastId) headers['last-event-id'] = lastId
    return headers
  }

  // ─── the session ───

  /** One new session, however many requests find the old one gone. */
  #renew(expired: string, exchange: Exchange): Promise<void> {
    if (this.sessionId !== expired) return this.#renewing ?? Promise.resolve()
    this.#guarded(this.#options.onSessionExpired, expired)
    this.#setSession(undefined)
    if (!this.#initialize) throw this.#error('was refused: the session has expired', exchange, { reason: 'session-expired' })
    return (this.#renewing = this.#beginAnew(this.#initialize)
      .catch((cause: unknown) => {
        throw this.#error('was refused: the session has expired and no new one could be made', exchange, { reason: 'session-expired', cause })
      })
      .finally(() => {
        this.#renewing = undefined
      }))
  }

  async #beginAnew(initialize: JsonRpcRequest): Promise<void> {
    // An id of our own: the client never sees this exchange, and none of its ids may be used twice.
    const message = { ...initialize, id: `renew-${++this.#renewals}` }
    const answer = await new Promise<JsonRpcResponse>((resolve, reject) => {
      void this.#exchange(message, {}, (response, { failure }) => (failure ? reject(failure) : resolve(response)))
    })
    this.#initialize = initialize
    if ('error' in answer) throw new MCPError(quote(answer.error.message), { reason: 'rpc', code: answer.error.code })
    const version = answer.result['protocolVersion']
    if (typeof version === 'string') this.setProtocolVersion(version)
    await this.#notify({ jsonrpc: '2.0', method: 'notifications/initialized' }, {})
    this.#emit('session', { sessionId: this.sessionId, renewed: true })
  }

  /** The server's own stream, for as long as this transport is open. */
  async #listen(opened: () => void): Promise<void> {
    const closing = this.#closing.signal
    const { streamIdleMs, url } = this.#options
    const release = await takeStreamSlot(url.origin, opened)
    const stream = newStream()
    let challenged = false
    for (let tries = 0; !closing.aborted && !this.#legacy; ) {
      const abort = new AbortController()
      const stop = (): void => abort.abort()
      closing.addEventListener('abort', stop)
      // A half-open connection never says that it is dead.
      let timer = setTimeout(stop, streamIdleMs)
      const began = Date.now()
      const { messages } = stream
      const { sessionId } = this
      try {
        const response = await this.#fetch('GET', this.#getHeaders(stream.lastId), undefined, abort.signal)
        const { status } = response
        if (response.ok && typeOf(response).includes(SSE_TYPE)) {
          opened()
          await this.#pump(response, stream, undefined, () => {
            clearTimeout(timer)
            timer = setTimeout(stop, streamIdleMs)
          })
          if (stream.messages > messages || Date.now() - began > 10_000) tries = 0
        } else {
          discard(response)
          if (status === 404 && sessionId !== undefined && this.#initialize) {
            const message = { ...this.#initialize, method: 'GET' }
            await this.#renew(sessionId, { message, repeatable: true } as Exchange)
            stream.lastId = undefined
            tries++
          } else if (!challenged && (await this.#satisfies(response))) challenged = true
          else if (status !== 429 && status < 500) break // this server has no such stream, or not for us
        }
      } catch (error) {
        if (error instanceof SseTooLarge || error instanceof MCPError) {
          if (!closing.aborted) this.#report(new MCPError(`The stream of ${this.place} failed: ${error.message}`, { reason: 'protocol', cause: error }))
          break
        }
      } finally {
        clearTimeout(timer)
        closing.removeEventListener('abort', stop)
        abort.abort()
      }
      opened()
      await pause(this.#reconnectMs(stream, tries++), closing).catch(() => {})
    }
    release()
    opened()
  }

  // ─── HTTP+SSE, the transport of the first revision ───

  /** Opens the one stream on which such a server answers everything; false when there is none. */
  async #openLegacy(): Promise<boolean> {
    const abort = new AbortController()
    const stop = (): void => abort.abort()
    this.#closing.signal.addEventListener('abort', stop)
    const timer = setTimeout(stop, LEGACY_WAIT_MS)
    const response = await this.#fetch('GET', this.#getHeaders(), undefined, abort.signal)
    if (!response.ok || !typeOf(response).includes(SSE_TYPE)) {
      clearTimeout(timer)
      discard(response)
      return false
    }
    return new Promise((resolve) => {
      const parser = createSseParser(
        {
          message: (data, event) => {
            if (event !== 'endpoint') return this.#receiveLegacy(data)
            const endpoint = new URL(data, this.#options.url)
            clearTimeout(timer)
            // Elsewhere it would receive our headers.
            if (endpoint.origin !== this.#options.url.origin) return stop()
            this.#legacyEndpoint = endpoint.href
            resolve(true)
          },
        },
        this.#options.maxMessageBytes,
      )
      const read = async (): Promise<void> => {
        const reader = response.body!.getReader()
        for (;;) {
          const { done, value } = await reader.read()
          if (done) return
          parser.feed(value)
        }
      }
      void read()
        .catch(() => {})
        .finally(() => {
          clearTimeout(timer)
          stop()
          this.#legacyEndpoint = undefined
          resolve(false)
          for (const exchange of this.#exchanges) {
            this.#fail(exchange, this.#error('lost its stream', exchange, { reason: 'network', lost: true }))
            exchange.abort.abort()
          }
        })
    })
  }

  /** On this transport all answers share one stream: each finds its request by its id. */
  #receiveLegacy(text: string): void {
    let id: RequestId | null | undefined
    try {
      id = (parseJson(text) as { id?: RequestId } | null)?.id
    } catch {}
    for (const exchange of this.#exchanges) {
      if (exchange.message.id === id) {
        this.#receive(text, exchange)
        if (exchange.answered) exchange.abort.abort()
        return
      }
    }
    this.#receive(text, undefined)
  }

  async #legacyExchange(exchange: Exchange, body: string): Promise<void> {
    const { signal } = exchange.abort
    const begins = exchange.message.method === 'initialize'
    if (this.#legacyEndpoint === undefined) {
      if (begins) {
        if (!(await this.#openLegacy())) throw this.#error('found no HTTP+SSE stream', exchange, { reason: 'protocol' })
      } else if (this.#initialize) {
        await (this.#renewing ??= this.#beginAnew(this.#initialize).finally(() => {
          this.#renewing = undefined
        }))
      }
    }
    const settled = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    const response = await this.#fetch('POST', this.#headersFor(exchange.message, undefined), body, signal, this.#legacyEndpoint)
    discard(response)
    if (!response.ok) {
      const { status } = response
      throw this.#error(`failed with HTTP ${status}`, exchange, { reason: status === 401 ? 'unauthorized' : 'http', statusCode: status, lost: status > 499 })
    }
    await settled
  }
}

/** The server does not know our session any more. The specification says 404; the official server says 400. */
function forgetsSession(status: number, error: { code: number; message: string } | undefined): boolean {
  return status === 404 || (status === 400 && error?.code === -32000 && /session|not initialized/i.test(error.message))
}

/** Reads what is left behind the answer, so that the connection can be used again, but not for long. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, abort: AbortController): Promise<void> {
  const timer = setTimeout(() => abort.abort(), DRAIN_MS)
  try {
    while (!(await reader.read()).done);
  } catch {
  } finally {
    clearTimeout(timer)
  }
}
