import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createSecureServer, type Http2SecureServer, type Http2Session } from 'node:http2'
import type { AddressInfo, Server, Socket } from 'node:net'
import { Exchange, type Headers, http2StreamOf } from './fault-exchange.ts'
import { type Fields, isFields, Ledger, type LedgerEntry, type WireMessage } from './fault-ledger.ts'
import type { EventStream, RecordedStream } from './fault-stream.ts'

export { deepArray, type LargeBody, MB, sendLarge } from './fault-bodies.ts'
export { Exchange, type Headers } from './fault-exchange.ts'
export { type Execution, type Fields, Ledger, type LedgerEntry, type WireMessage } from './fault-ledger.ts'
export { type EventFields, EventStream, formatEvent, type RecordedStream } from './fault-stream.ts'

export const SESSIONS = '2025-11-25'
export const STATELESS = '2026-07-28'
const META = 'io.modelcontextprotocol/'

export interface FaultTool {
  description?: string
  inputSchema?: unknown
  annotations?: unknown
  /** Anything else of the definition, as it goes over the wire. */
  definition?: Fields
  run?: (given: Fields, exchange: Exchange) => Fields
}

export interface FaultServerOptions {
  /** `sessions`: 2025-11-25 only. `stateless`: 2026-07-28 only. `both`: chosen by the request. `http+sse`: 2024-11-05 only. */
  era?: 'sessions' | 'stateless' | 'both' | 'http+sse'
  tools?: Record<string, FaultTool>
  /** How requests are answered. `sse+ids` can be resumed in the session era. */
  answer?: 'json' | 'sse' | 'sse+ids'
  /** Sees every request first. What it does not take is answered as a well-behaved server would. */
  onRequest?: (exchange: Exchange) => void | Promise<void>
  /** False: GET is answered with 405. */
  getStream?: boolean
  /** Cross-origin headers; a list restricts Access-Control-Allow-Headers to it. */
  cors?: boolean | string[]
  /** HTTP/2 over TLS (with HTTP/1.1 beside it). */
  tls?: { key: string; cert: string }
  port?: number
}

/** A small MCP server with a ledger, which misbehaves to order. */
export class FaultServer {
  readonly ledger = new Ledger()
  readonly sessions = new Set<string>()
  readonly recorded = new Map<string, RecordedStream>()
  /** Open GET streams and subscriptions/listen streams. */
  readonly listeners = new Set<{ exchange: Exchange; stream: EventStream }>()
  tools: Map<string, FaultTool>
  era: NonNullable<FaultServerOptions['era']>
  answer: NonNullable<FaultServerOptions['answer']>
  getStream: boolean
  cors: boolean | string[]
  onRequest: FaultServerOptions['onRequest']
  serverName = 'fault-server'
  #tls: FaultServerOptions['tls']
  #server: Server | undefined
  #http2Sessions = new Set<Http2Session>()
  #port: number
  /** Streams of 2024-11-05, by the session in their POST address. */
  #sseSessions = new Map<string, EventStream>()

  constructor(options: FaultServerOptions = {}) {
    this.era = options.era ?? 'sessions'
    this.answer = options.answer ?? 'json'
    this.getStream = options.getStream ?? true
    this.cors = options.cors ?? false
    this.onRequest = options.onRequest
    this.tools = new Map(Object.entries(options.tools ?? { echo: {} }))
    this.#tls = options.tls
    this.#port = options.port ?? 0
  }

  get host(): string {
    return `127.0.0.1:${this.#port}`
  }

  get origin(): string {
    return `${this.#tls ? 'https' : 'http'}://${this.host}`
  }

  get url(): string {
    return `${this.origin}${this.era === 'http+sse' ? '/sse' : '/mcp'}`
  }

  get listening(): boolean {
    return this.#server !== undefined
  }

  /** Listens; the second time on the same port as the first. */
  async start(): Promise<this> {
    const onRequest = (request: IncomingMessage, response: ServerResponse) => void this.#receive(request, response)
    const server: Server = this.#tls
      ? createSecureServer({ ...this.#tls, allowHTTP1: true }, onRequest as never)
      : createServer({ keepAliveTimeout: 30_000, noDelay: true }, onRequest)
    if (this.#tls) {
      ;(server as Http2SecureServer).on('session', (session) => {
        this.#http2Sessions.add(session)
        session.on('error', () => {})
        session.on('close', () => this.#http2Sessions.delete(session))
      })
      server.on('sessionError', () => {})
    }
    server.on(this.#tls ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.ledger.connections++
      this.ledger.sockets.add(socket)
      this.ledger.changed()
      socket.on('error', () => {})
      socket.on('close', () => {
        this.ledger.sockets.delete(socket)
        this.ledger.changed()
      })
    })
    server.on('clientError', (_error, socket) => socket.destroy())
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(this.#port, '127.0.0.1', resolve)
    })
    this.#port = (server.address() as AddressInfo).port
    this.#server = server
    return this
  }

  /** As if the machine went down: the port is closed, every connection breaks. */
  async stop(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (!server) return
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const session of this.#http2Sessions) session.destroy()
    for (const socket of this.ledger.sockets) socket.destroy()
    await closed
  }

  /** Comes back on the same port; what was in memory is lost. */
  async restart(): Promise<void> {
    await this.stop()
    this.forgetSessions()
    this.recorded.clear()
    await this.start()
  }

  close(): Promise<void> {
    return this.stop()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  /** Every session is expired from now on: requests with one get a 404. */
  forgetSessions(): void {
    this.sessions.clear()
  }

  /** Connections of HTTP/2, for GOAWAY and resets. */
  get http2Sessions(): ReadonlySet<Http2Session> {
    return this.#http2Sessions
  }

  /** Sends a notification or request of the server on every open listening stream. */
  push(message: WireMessage): void {
    for (const { exchange, stream } of this.listeners) {
      if (exchange.method !== 'subscriptions/listen') void stream.message({ jsonrpc: '2.0', ...message })
      else {
        const _meta = { [`${META}subscriptionId`]: exchange.id }
        void stream.message({ jsonrpc: '2.0', ...message, params: { ...message.params, _meta } })
      }
    }
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {})
    request.on('error', () => {})
    let body = ''
    try {
      request.setEncoding('utf8')
      for await (const part of request) body += String(part)
    } catch {
      return
    }
    const message = readMessage(body)
    const params = isFields(message?.params) ? message.params : {}
    const entry: LedgerEntry = {
      nth: this.ledger.entries.length + 1,
      at: performance.now(),
      httpMethod: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: request.headers,
      method: typeof message?.method === 'string' ? message.method : undefined,
      id: message?.id,
      message,
      params,
      meta: isFields(params['_meta']) ? params['_meta'] : {},
      arguments: isFields(params['arguments']) ? params['arguments'] : {},
      finished: false,
      disconnected: false,
    }
    this.ledger.entries.push(entry)
    this.ledger.open.add(entry)
    if (entry.method === 'notifications/cancelled') this.ledger.cancels.push(params['requestId'])
    if (message && entry.method === undefined && 'id' in message) this.ledger.answers.push(message)
    response.on('close', () => {
      // HTTP/2 responses do not know whether they were flushed, only how their stream ended.
      entry.finished = response.writableFinished ?? (response.writableEnded && http2StreamOf(response)?.rstCode === 0)
      entry.disconnected = !entry.finished
      this.ledger.open.delete(entry)
      this.ledger.changed()
    })
    const exchange = new Exchange(request, response, entry, body, {
      ledger: this.ledger,
      baseHeaders: (one) => this.#corsHeaders(one),
      resultOf: (one) => this.#resultOf(one),
      record: () => this.#record(),
    })
    this.ledger.changed()
    try {
      await this.onRequest?.(exchange)
      if (!exchange.taken && !response.destroyed) this.#answer(exchange)
    } catch (error) {
      if (!response.headersSent) exchange.send(500, { 'content-type': 'text/plain' }, `fault script: ${String(error)}`)
      else exchange.drop()
    }
  }

  #corsHeaders(exchange: Exchange): Headers {
    if (!this.cors || !exchange.header('origin')) return {}
    return {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Mcp-Session-Id, WWW-Authenticate, Retry-After',
    }
  }

  #record(): RecordedStream {
    const key = `stream-${this.recorded.size}`
    const stream: RecordedStream = { key, events: [], done: false, followers: new Set() }
    this.recorded.set(key, stream)
    return stream
  }

  /** The recorded stream and the position that an event id names. */
  findEvent(eventId: string): { stream: RecordedStream; index: number } | undefined {
    for (const stream of this.recorded.values()) {
      const index = stream.events.findIndex((event) => event.id === eventId)
      if (index >= 0) return { stream, index }
    }
    return undefined
  }

  // ── the well-behaved server ──────────────────────────────────────────────────────────────────

  #answer(exchange: Exchange): void {
    if (exchange.httpMethod === 'OPTIONS') return this.#answerPreflight(exchange)
    if (this.era === 'http+sse') return this.#answerHttpSse(exchange)
    const stateless = exchange.meta[`${META}protocolVersion`] !== undefined
    if (this.era === 'stateless' || (this.era === 'both' && stateless)) return this.#answerStateless(exchange)
    return this.#answerSession(exchange)
  }

  #answerPreflight(exchange: Exchange): void {
    if (!this.cors) return exchange.send(405)
    const asked = exchange.header('access-control-request-headers') ?? ''
    exchange.send(204, {
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': Array.isArray(this.cors) ? this.cors.join(', ') : asked,
      'access-control-max-age': '600',
    })
  }

  #answerSession(exchange: Exchange): void {
    const { method } = exchange
    const sessionId = exchange.header('mcp-session-id')
    if (method === 'initialize') {
      const id = `canary-session-${randomUUID()}`
      this.sessions.add(id)
      return this.#deliver(exchange, { 'mcp-session-id': id })
    }
    if (sessionId === undefined)
      return exchange.json({ ...exchange.failure(-32000, 'Bad Request: Server not initialized'), id: null }, 400)
    if (!this.sessions.has(sessionId)) return exchange.json(exchange.failure(-32001, 'Session not found'), 404)
    if (exchange.httpMethod === 'DELETE') {
      this.sessions.delete(sessionId)
      return exchange.send(200)
    }
    if (exchange.httpMethod === 'GET') {
      const last = exchange.header('last-event-id')
      if (last !== undefined) {
        const found = this.findEvent(last)
        if (!found) return exchange.send(404)
        exchange.follow(found.stream, found.index + 1)
        return
      }
      if (!this.getStream) return exchange.send(405, { allow: 'POST, DELETE' })
      return this.#listen(exchange)
    }
    if (exchange.message === undefined) return exchange.json(exchange.failure(-32700, 'Parse error'), 400)
    if (exchange.id === undefined || method === undefined) return exchange.send(202)
    if (!this.#knows(exchange)) return exchange.json(exchange.failure(-32601, `Method not found: ${method}`))
    return this.#deliver(exchange)
  }

  #answerStateless(exchange: Exchange): void {
    if (exchange.httpMethod !== 'POST') return exchange.send(405, { allow: 'POST' })
    const version = exchange.meta[`${META}protocolVersion`]
    if (version === undefined)
      return exchange.json(exchange.failure(-32602, `Missing _meta ${META}protocolVersion`), 400)
    if (version !== STATELESS)
      return exchange.json(
        exchange.failure(-32022, 'Unsupported protocol version', { supported: [STATELESS], requested: version }),
        400,
      )
    if (exchange.header('mcp-method') !== exchange.method)
      return exchange.json(exchange.failure(-32020, 'Header mismatch: Mcp-Method'), 400)
    if (exchange.id === undefined) return exchange.send(202)
    if (exchange.method === 'subscriptions/listen') return this.#listen(exchange)
    if (!this.#knows(exchange)) return exchange.json(exchange.failure(-32601, 'Method not found'), 404)
    return this.#deliver(exchange)
  }

  #answerHttpSse(exchange: Exchange): void {
    const path = new URL(exchange.entry.path, this.origin)
    if (exchange.httpMethod === 'GET' && path.pathname === '/sse') {
      const session = `canary-session-${randomUUID()}`
      const stream = exchange.stream()
      this.#sseSessions.set(session, stream)
      void exchange.closed.then(() => this.#sseSessions.delete(session))
      void stream.event({ event: 'endpoint', data: `/messages?sessionId=${session}` })
      this.listeners.add({ exchange, stream })
      return
    }
    const stream = this.#sseSessions.get(path.searchParams.get('sessionId') ?? '')
    if (exchange.httpMethod !== 'POST' || path.pathname !== '/messages') return exchange.send(405, { allow: 'GET' })
    if (!stream) return exchange.send(404)
    exchange.send(202)
    if (exchange.id !== undefined && exchange.method !== undefined) {
      const known = this.#knows(exchange)
      void stream.event({
        event: 'message',
        data: JSON.stringify(known ? exchange.reply() : exchange.failure(-32601, 'Method not found')),
      })
    }
  }

  #listen(exchange: Exchange): void {
    const stream = exchange.stream()
    const listener = { exchange, stream }
    this.listeners.add(listener)
    void exchange.closed.then(() => {
      this.listeners.delete(listener)
      this.ledger.changed()
    })
    if (exchange.method === 'subscriptions/listen')
      void stream.message({
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: exchange.params['notifications'], _meta: { [`${META}subscriptionId`]: exchange.id } },
      })
    else void stream.comment('open')
    this.ledger.changed()
  }

  /** Sends the result in the way the server answers: JSON, SSE, or SSE with event ids. */
  #deliver(exchange: Exchange, headers: Headers = {}): void {
    const reply = exchange.reply()
    if (this.answer === 'json' || exchange.method === 'initialize') return exchange.json(reply, 200, headers)
    const stream = exchange.stream({ record: this.answer === 'sse+ids', headers })
    void stream.prime()
    void stream.message(reply)
    stream.end()
  }

  #knows(exchange: Exchange): boolean {
    return known.has(exchange.method ?? '')
  }

  toolDefinitions(): unknown[] {
    return [...this.tools].map(([name, tool]) => ({
      name,
      description: tool.description ?? `The tool ${name}`,
      inputSchema: tool.inputSchema ?? { type: 'object' },
      ...(tool.annotations === undefined ? {} : { annotations: tool.annotations }),
      ...tool.definition,
    }))
  }

  #resultOf(exchange: Exchange): Fields {
    const { params } = exchange
    const stateless = exchange.meta[`${META}protocolVersion`] !== undefined
    const complete = stateless ? { resultType: 'complete' } : {}
    const fresh = stateless ? { ttlMs: 0, cacheScope: 'private' } : {}
    const serverInfo = { name: this.serverName, version: '1.0.0' }
    const capabilities = {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
    }
    switch (exchange.method) {
      case 'initialize':
        return {
          protocolVersion: params['protocolVersion'] === '2024-11-05' ? '2024-11-05' : SESSIONS,
          capabilities,
          serverInfo,
        }
      case 'server/discover':
        return {
          ...complete,
          ...fresh,
          supportedVersions: [STATELESS],
          capabilities,
          _meta: { [`${META}serverInfo`]: serverInfo },
        }
      case 'tools/list':
        return { ...complete, ...fresh, tools: this.toolDefinitions() }
      case 'tools/call': {
        const name = String(params['name'])
        const tool = this.tools.get(name)
        if (!tool) return { ...complete, content: [{ type: 'text', text: `Unknown tool ${name}` }], isError: true }
        this.#execute(exchange)
        const made = tool.run?.(exchange.arguments, exchange)
        return made ?? { ...complete, content: [{ type: 'text', text: exchange.mark }] }
      }
      case 'resources/list':
        return { ...complete, ...fresh, resources: [{ uri: 'test://one', name: 'one' }] }
      case 'resources/templates/list':
        return { ...complete, ...fresh, resourceTemplates: [{ uriTemplate: 'test://{name}', name: 'any' }] }
      case 'resources/read':
        return { ...complete, ...fresh, contents: [{ uri: params['uri'], text: 'one' }] }
      case 'prompts/list':
        return { ...complete, ...fresh, prompts: [{ name: 'hello' }] }
      case 'prompts/get':
        return { ...complete, messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }] }
      case 'completion/complete':
        return { ...complete, completion: { values: ['one'] } }
      default:
        return { ...complete }
    }
  }

  #execute(exchange: Exchange): void {
    const callIdKey = Object.keys(exchange.meta).find((key) => key.endsWith('/callId'))
    this.ledger.executions.push({
      tool: exchange.tool ?? '',
      id: exchange.id,
      callId: callIdKey === undefined ? undefined : String(exchange.meta[callIdKey]),
      arguments: exchange.arguments,
      at: performance.now(),
    })
    this.ledger.changed()
  }
}

function readMessage(body: string): WireMessage | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

const known = new Set([
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
])

export function startFaultServer(options: FaultServerOptions = {}): Promise<FaultServer> {
  return new FaultServer(options).start()
}
