import type { InitializeResult } from '../model.ts'
import { HttpTransport } from '../transport/http.ts'
import { checkOptions } from '../transport/http-options.ts'
import type { Transport } from '../transport/transport.ts'
import { sessionEra } from '../wire/era-2025-11-25.ts'
import type { Connection, MCPClientConfig } from './connection.ts'
import { ResultCache } from './result-cache.ts'

const KNOWN =
  'transport protocolVersionDiscovery clientName name version capabilities initializationOptions requestOptions maxRetries onUncaughtError initialInitializeResult session cache onElicitationRequest onSamplingRequest roots onNotification logLevel'

/** Everything a client needs before it speaks; throws a TypeError for a programmer's mistake. */
export function createConnection(target: string | URL | MCPClientConfig): Connection {
  const config: MCPClientConfig =
    typeof target === 'string' || target instanceof URL
      ? { transport: { type: 'http', url: target }, cache: true }
      : { cache: true, ...target }
  if (!config.transport) throw new TypeError("An MCP client needs a transport, such as { type: 'http', url }")
  checkOptions(config, KNOWN, 'An MCP client')
  for (const key of ['onElicitationRequest', 'onSamplingRequest', 'onNotification', 'onUncaughtError'] as const) {
    if (config[key] !== undefined && typeof config[key] !== 'function') throw new TypeError(`${key} must be a function`)
  }
  const transport = createTransport(config)
  const [random = 0, more = 0] = crypto.getRandomValues(new Uint32Array(2))
  return {
    config,
    transport,
    place: 'place' in transport ? String(transport.place) : 'the server',
    clientInfo: { name: config.clientName ?? config.name ?? 'switchboard', version: config.version ?? '0.1.0' },
    nonce: `${random.toString(36)}${more.toString(36)}`,
    // At most 14 digits: some servers keep numbers no longer than that.
    nextId: random * 4096 + (more & 4095),
    era: sessionEra(''),
    server: emptyServer(),
    pending: new Map(),
    inquiries: new Map(),
    cache: new ResultCache(),
    toolHeaders: new Map(),
    notificationListeners: new Set(config.onNotification && [config.onNotification]),
    listListeners: { tools: new Set(), resources: new Set(), prompts: new Set() },
    subscriptions: new Map(),
    elicit: config.onElicitationRequest,
    sample: config.onSamplingRequest,
    roots: config.roots,
    logLevel: config.logLevel,
    streamWanted: config.onNotification !== undefined,
    listening: undefined,
    meta: undefined,
    closed: false,
  }
}

const emptyServer = (): InitializeResult => ({
  protocolVersion: '',
  capabilities: {},
  serverInfo: { name: '', version: '' },
})

function createTransport({ transport, session, initialInitializeResult, maxRetries }: MCPClientConfig): Transport {
  if ('send' in transport) return transport
  const { type, ...options } = transport
  if (type !== 'http' && type !== 'sse') {
    throw new TypeError(
      `A transport has the type 'http' or 'sse', or is an object with start, send and close; not ${String(type)}`,
    )
  }
  return new HttpTransport({
    ...options,
    ...(maxRetries !== undefined && { maxRetries }),
    ...(session?.sessionId !== undefined && { initialSessionId: session.sessionId }),
    ...(initialInitializeResult && { initialProtocolVersion: initialInitializeResult.protocolVersion }),
    autoOpenStream: false,
    legacy: type === 'sse',
  })
}
