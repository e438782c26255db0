import { onTestFinished, vi } from 'vitest'
import type { Fields, WireMessage } from '@switchboard/testkit/fault-server'

// Loaded before the clock is a fake one: an import cannot be awaited by advancing it.
await Promise.all([
  import('../../src/client/on-demand.ts'),
  import('../../src/transport/recovery.ts'),
  import('../../src/tasks/tasks.ts'),
])

/** How long each request takes. Without it, a client that repeats requests at once would never let the clock go on. */
const LATENCY_MS = 20
/** After so many requests the server falls silent: the test has failed by then, and would take long to end. */
const MOST_REQUESTS = 10_000

export interface SeenRequest {
  /** The JSON-RPC method, `answer` for an answer of ours, else the HTTP method. */
  method: string
  message: WireMessage | undefined
  headers: Headers
  url: string
  signal: AbortSignal | null | undefined
}

/** What a server can answer to everything, by its name in the test titles. */
export const ANSWERS: Record<string, () => Response> = {
  '200 without a body': () => new Response('', { status: 200 }),
  '200 with a stream that ends at once': () => stream(''),
  '200 with a stream of one notification': () => stream(`data: ${JSON.stringify(notification)}\n\n`),
  '200 with a stream that has new ids': () => stream(`id: ${++ids}\nretry: 0\ndata:\n\n`),
  '202': () => new Response(null, { status: 202 }),
  '204': () => new Response(null, { status: 204 }),
  '301': () => new Response(null, { status: 301, headers: { location: '/elsewhere' } }),
  '307': () => new Response(null, { status: 307, headers: { location: '/elsewhere' } }),
  '400': () => new Response('Bad Request', { status: 400 }),
  '400 for a session': () => Response.json(noSession, { status: 400 }),
  '401': () => new Response('', { status: 401, headers: { 'www-authenticate': 'Bearer' } }),
  '403': () => new Response('', { status: 403 }),
  '404': () => new Response('Cannot GET /mcp', { status: 404 }),
  '405': () => new Response('', { status: 405 }),
  '410': () => new Response('', { status: 410 }),
  '429': () => new Response('', { status: 429 }),
  '500': () => new Response('', { status: 500 }),
  '503': () => new Response('', { status: 503 }),
  'a closed connection': () => {
    throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } })
  },
}

let ids = 0
const notification = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'news' } }
const noSession = { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad Request: No valid session ID' } }

export const stream = (text: string): Response =>
  new Response(text, { headers: { 'content-type': 'text/event-stream' } })

/** A stream that stays open until the request is aborted, and is written to with `push`. */
export function openStream(signal?: AbortSignal | null): { response: Response; push: (message: Fields) => void } {
  let controller!: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) })
  signal?.addEventListener('abort', () => {
    try {
      controller.error(signal.reason)
    } catch {
      // It was closed by its reader.
    }
  })
  return {
    response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    push: (message) => controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(message)}\n\n`)),
  }
}

/** A server inside `fetch`, on a fake clock that the test moves. */
export class SimulatedServer {
  readonly url = 'https://simulated.example/mcp'
  readonly requests: SeenRequest[] = []
  sessions = 0
  capabilities: Fields = { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} }
  /** Takes a request out of the hands of the well-behaved server. */
  onRequest: ((request: SeenRequest) => Response | undefined) | undefined

  readonly fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const message = typeof init.body === 'string' && init.body ? (JSON.parse(init.body) as WireMessage) : undefined
    const method = message ? String(message.method ?? 'answer') : (init.method ?? 'GET')
    const { signal } = init
    const request = { method, message, headers: new Headers(init.headers), url: String(url), signal }
    this.requests.push(request)
    await new Promise<void>((resolve, reject) => {
      const stop = (): void => reject(signal?.reason as Error)
      const arrive = (): void => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }
      signal?.addEventListener('abort', stop)
      if (signal?.aborted) stop()
      if (this.requests.length < MOST_REQUESTS) setTimeout(arrive, LATENCY_MS)
    })
    return this.onRequest?.(request) ?? this.answer(request)
  }

  constructor() {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
  }

  /** What a well-behaved server with sessions answers. */
  answer({ method, message, signal }: SeenRequest): Response {
    if (method === 'GET') return openStream(signal).response
    if (method === 'server/discover') return new Response('', { status: 400 })
    if (message?.id === undefined || method === 'answer') return new Response(null, { status: 202 })
    if (method !== 'initialize') return this.result(message, { tools: [], content: [] })
    const { capabilities } = this
    const info = { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 's', version: '1' } }
    return this.result(message, info, { 'mcp-session-id': `session-${++this.sessions}` })
  }

  result(message: WireMessage | undefined, result: Fields, headers: Record<string, string> = {}): Response {
    return Response.json({ jsonrpc: '2.0', id: message?.id, result }, { headers })
  }

  count(method?: string): number {
    return method ? this.requests.filter((request) => request.method === method).length : this.requests.length
  }

  /** Lets an hour pass; tells how many requests came in it, in all and by method. */
  async anHour(): Promise<Record<string, number>> {
    const before = this.requests.length
    await vi.advanceTimersByTimeAsync(3_600_000)
    const counts: Record<string, number> = { all: this.requests.length - before }
    for (const { method } of this.requests.slice(before)) counts[method] = (counts[method] ?? 0) + 1
    return counts
  }

  /** Moves the clock until the promise is settled. */
  async settled<T>(promise: Promise<T>): Promise<T> {
    let done = false
    const end = (): void => void (done = true)
    promise.then(end, end)
    for (let turn = 0; turn < 20_000 && !done; turn++) await vi.advanceTimersByTimeAsync(LATENCY_MS)
    return promise
  }
}
