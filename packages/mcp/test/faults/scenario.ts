import {
  createMCPClient,
  HttpTransport,
  type HttpTransportOptions,
  isMCPError,
  type MCPClient,
  type MCPError,
} from '@switchboard/mcp'
import { expect, onTestFinished } from 'vitest'
import { everythingIn, type Watch, watchLeftovers } from '@switchboard/testkit/fault-oracle'
import {
  type FaultServer,
  type FaultServerOptions,
  type Fields,
  type LedgerEntry,
  startFaultServer,
  type WireMessage,
} from '@switchboard/testkit/fault-server'

// The parts that are loaded on demand are there before anything is timed, as in a page that has connected.
await Promise.all([import('../../src/client/on-demand.ts'), import('../../src/transport/recovery.ts')])

export type Era = 'sessions' | 'stateless'
export const eras: Era[] = ['sessions', 'stateless']

export type ClientOptions = Parameters<typeof createMCPClient>[0]
export type HttpOptions = Extract<ClientOptions['transport'], { url: unknown }>

/** Reconnects and retries are quick in tests; everything else is as a user has it. */
export const quick = { baseMs: 5, capMs: 50 }

interface Scenario {
  readonly servers: FaultServer[]
  readonly clients: { close(): Promise<void> }[]
  readonly watch: Watch
}

let current: Scenario | undefined

function scenario(): Scenario {
  if (current) return current
  const begun: Scenario = { servers: [], clients: [], watch: watchLeftovers('/packages/mcp/src/') }
  current = begun
  onTestFinished(async () => {
    current = undefined
    try {
      for (const client of begun.clients) await client.close()
      await nothingLeft(begun)
    } finally {
      begun.watch.stop()
      for (const server of begun.servers) await server.close()
    }
  })
  return begun
}

/** A second at most, as this process lives it: while it stands still, nothing here can come true. */
async function soon(test: () => boolean): Promise<void> {
  for (let turn = 0; turn < 100 && !test(); turn++) await new Promise((next) => setTimeout(next, 10))
}

/** The oracle of every row: one second after the end no request is open, no timer is set, no rejection went unheard. */
async function nothingLeft({ servers, watch }: Scenario): Promise<void> {
  for (const { ledger } of servers) {
    await soon(() => ledger.open.size === 0)
    expect(
      [...ledger.open].map((entry) => entry.method ?? entry.httpMethod),
      'requests still open',
    ).toEqual([])
  }
  await soon(() => watch.timers() === 0)
  expect(watch.timers(), 'timers of the library still set').toBe(0)
  expect(watch.rejections, 'unhandled rejections').toEqual([])
}

/** A fault server that ends with the test. It has no stream of its own unless asked: fewer requests to count. */
export async function serve(options: FaultServerOptions = {}): Promise<FaultServer> {
  const { servers } = scenario()
  const server = await startFaultServer({ getStream: false, ...options })
  servers.push(server)
  return server
}

/** Closes it when the test ends. */
export function closing<T extends { close(): Promise<void> }>(client: T): T {
  scenario().clients.push(client)
  return client
}

/** Options for a client of this server, with secrets in every place that has one. */
export function clientOptions(
  server: FaultServer,
  transport: Partial<HttpOptions> = {},
  rest: Partial<Omit<ClientOptions, 'transport'>> = {},
): ClientOptions {
  return {
    transport: {
      type: server.era === 'http+sse' ? 'sse' : 'http',
      url: server.url,
      headers: { 'x-api-key': 'canary-header' },
      backoff: quick,
      ...transport,
    },
    protocolVersionDiscovery: server.era === 'stateless' || server.era === 'both',
    ...rest,
  }
}

export async function connect(
  server: FaultServer,
  transport: Partial<HttpOptions> = {},
  rest: Partial<Omit<ClientOptions, 'transport'>> = {},
): Promise<MCPClient> {
  scenario()
  return closing(await createMCPClient(clientOptions(server, transport, rest)))
}

/** A server and a client of it, already connected. Faults are usually given afterwards, through `server.onRequest`. */
export async function serveAndConnect(
  options: FaultServerOptions = {},
  transport: Partial<HttpOptions> = {},
  rest: Partial<Omit<ClientOptions, 'transport'>> = {},
): Promise<{ server: FaultServer; client: MCPClient }> {
  const server = await serve(options)
  return { server, client: await connect(server, transport, rest) }
}

/** Control characters that would let a server's text paint over ours; line ends are one of them. */
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f-\u009f]/

/** The error of a promise that must fail: an MCPError that names the server and the deed, and no secret. */
export async function failureOf(
  promise: Promise<unknown>,
  names: { server: FaultServer; deed: string } | undefined,
): Promise<MCPError> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if (!('error' in outcome)) throw new Error(`It did not fail but gave ${JSON.stringify(outcome.value).slice(0, 300)}`)
  const { error } = outcome
  if (!isMCPError(error)) throw new Error(`Not an MCPError: ${everythingIn(error)}`)
  expect(everythingIn(error), 'a secret in an error').not.toMatch(/canary/i)
  expect(error.message, 'control characters in a message').not.toMatch(control)
  if (names) {
    expect(error.message, 'the server').toContain(names.server.host)
    expect(error.message, 'the deed').toContain(names.deed)
  }
  return error
}

/**
 * Milliseconds since `mark()`, as this process lived them. A busy machine stops server, client and clock alike, so time in
 * which none of them ran does not count: of each stop, one step at most. Larger steps lose less of a long time.
 */
export function stopwatch(stepMs = 5): { mark: () => void; elapsed: () => number } {
  let from = Number.NaN
  let steps = 0
  let timer: NodeJS.Timeout | undefined
  return {
    mark: () => {
      from = performance.now()
      steps = 0
      timer ??= setInterval(() => steps++, stepMs)
      timer.unref()
    },
    elapsed: () => {
      clearInterval(timer)
      return Math.min(performance.now() - from, (steps + 1) * stepMs)
    },
  }
}

/** One good call: the client that failed is still of use. */
export async function expectStillUsable(client: MCPClient, server: FaultServer): Promise<void> {
  server.onRequest = undefined
  const mark = `again-${server.ledger.entries.length}`
  const result = await client.callTool({ name: [...server.tools.keys()][0] ?? 'echo', arguments: { mark } })
  expect(result).toMatchObject({ content: [{ type: 'text', text: mark }] })
}

/** The GETs that ask for the rest of an interrupted answer. */
export function resumptions(server: FaultServer): LedgerEntry[] {
  return server.ledger.of('GET').filter((entry) => entry.headers['last-event-id'] !== undefined)
}

/** An HttpTransport in the hands of a test: everything it delivers is written down. */
export async function transportTo(server: FaultServer, options: Partial<HttpTransportOptions> = {}) {
  scenario()
  const transport = closing(
    new HttpTransport({
      url: server.url,
      headers: { 'x-api-key': 'canary-header' },
      backoff: quick,
      legacy: server.era === 'http+sse',
      ...options,
    }),
  )
  const messages: WireMessage[] = []
  const failures: unknown[] = []
  const dropped: string[] = []
  let news: (() => void) | undefined
  transport.onmessage = (message: WireMessage, extra?: { failure?: unknown }) => {
    messages.push(message)
    if (extra?.failure) failures.push(extra.failure)
    news?.()
  }
  transport.onerror = () => news?.()
  transport.on('dropped', ({ why }) => {
    dropped.push(why)
    news?.()
  })
  await transport.start()
  let nextId = 1
  const send = (method: string, params: Fields = {}): number => {
    const id = nextId++
    const meta = server.era === 'stateless' ? { _meta: statelessMeta } : {}
    void transport.send({ jsonrpc: '2.0', id, method, params: { ...params, ...meta } })
    return id
  }
  /** Resolves when the test holds for what was delivered so far. */
  const until = async (test: () => boolean, what: string): Promise<void> => {
    const start = performance.now()
    while (!test()) {
      if (performance.now() - start > 10_000)
        throw new Error(`Not delivered in 10 s: ${what}. Got ${JSON.stringify(messages)}`)
      await new Promise<void>((resolve) => {
        news = resolve
        setTimeout(resolve, 50)
      })
    }
  }
  const answersTo = (id: number) => messages.filter((message) => message.id === id && message.method === undefined)
  if (server.era !== 'stateless') {
    const id = send('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    })
    await until(() => answersTo(id).length === 1, 'the answer to initialize')
    transport.setProtocolVersion('2025-11-25')
    await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  }
  return { transport, messages, failures, dropped, send, until, answersTo }
}

const statelessMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

export const breath = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
