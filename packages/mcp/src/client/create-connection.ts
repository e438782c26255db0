import { must } from '../errors.ts'
import { HttpTransport } from '../transport/http.ts'
import { checkOptions } from '../transport/http-options.ts'
import type { Transport } from '../transport/transport.ts'
import { readInitialize } from '../wire/choose-era.ts'
import { sessionEra } from '../wire/era-2025-11-25.ts'
import { type Connection, type MCPClientConfig } from './connection.ts'
import { ResultCache } from './result-cache.ts'

const KNOWN =
  'transport protocolVersionDiscovery clientName name version capabilities initializationOptions requestOptions maxRetries onUncaughtError initialInitializeResult session cache onElicitationRequest onSamplingRequest roots onNotification logLevel'

let seed: string | undefined
let clients = 0

/** Everything a client needs before it speaks; throws a TypeError for a programmer's mistake. */
export function createConnection(target: string | URL | MCPClientConfig): Connection {
  const config: MCPClientConfig = {
    cache: true,
    ...(typeof target === 'string' || target instanceof URL ? { transport: { type: 'http', url: target } } : target),
  }
  checkOptions(config, KNOWN, 'MCPClient')
  for (const [key, value] of Object.entries(config))
    if (/^on[A-Z]/.test(key) && value !== undefined) must(typeof value === 'function', `${key} must be a function`)
  const { clientName, name = 'switchboard', version = '0.1.0', onNotification } = config
  const transport = createTransport(config)
  seed ??= crypto.getRandomValues(new Uint32Array(2)).join('-')
  return {
    config,
    transport,
    place: 'place' in transport ? String(transport.place) : 'the server',
    clientInfo: { name: clientName ?? name, version },
    nonce: `${seed}-${++clients}`,
    // Begins anywhere, so that no two clients of a careless server share one, and is small enough to be fast.
    nextId: Math.floor(Math.random() * 2 ** 29),
    era: sessionEra(''),
    server: readInitialize({}),
    pending: new Map(),
    progress: new Map(),
    inquiries: new Map(),
    cache: new ResultCache(),
    toolHeaders: new Map(),
    notices: new Map(),
    notificationListeners: new Set(onNotification && [onNotification]),
    listListeners: { tools: new Set(), resources: new Set(), prompts: new Set() },
    subscriptions: new Map(),
    elicit: config.onElicitationRequest,
    sample: config.onSamplingRequest,
    roots: config.roots,
    logLevel: config.logLevel,
    closing: new AbortController(),
  }
}

function createTransport({ transport, initialInitializeResult, maxRetries }: MCPClientConfig): Transport {
  if (transport && 'send' in transport) return transport
  const { type, ...options } = transport ?? {}
  if (type !== 'http' && type !== 'sse') throw new TypeError("transport needs { type: 'http' or 'sse', url } or send")
  return new HttpTransport({
    ...options,
    ...(maxRetries !== undefined && { maxRetries }),
    ...(initialInitializeResult && { initialProtocolVersion: initialInitializeResult.protocolVersion }),
    autoOpenStream: false,
    legacy: type === 'sse',
  })
}
