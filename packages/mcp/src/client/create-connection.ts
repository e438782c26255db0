import { must } from '../errors.ts'
import { HttpTransport } from '../transport/http.ts'
import { refuseOption } from '../transport/http-options.ts'
import { readInitialize } from '../wire/choose-era.ts'
import { sessionEra } from '../wire/era-2025-11-25.ts'
import { createRequestBudget } from './admit-request.ts'
import { type Connection, type MCPClientConfig } from './connection.ts'
import { ResultCache } from './result-cache.ts'

const KNOWN =
  'transport protocolVersionDiscovery clientName name version capabilities initializationOptions requestOptions maxRetries onUncaughtError initialInitializeResult session cache tasks onElicitationRequest onSamplingRequest roots onNotification logLevel experimental_events'.split(
    ' ',
  )

let seed: string | undefined
let clients = 0

/** Everything a client needs before it speaks; throws a TypeError for a programmer's mistake. */
export function createConnection(target: string | URL | MCPClientConfig): Connection {
  // A copy and nothing more: to copy into what holds something already takes ten times as long.
  const config: MCPClientConfig = isAddress(target) ? { transport: target } : { ...target }
  if (isAddress(config.transport)) config.transport = { type: 'http', url: config.transport }
  config.cache ??= true
  for (const key in config) {
    if (!KNOWN.includes(key)) refuseOption(key, KNOWN, 'MCPClient')
    const value = config[key as keyof MCPClientConfig]
    if (key.startsWith('on') && value !== undefined) must(typeof value === 'function', `${key} must be a function`)
  }
  const { clientName, name = 'switchboard', version = '0.1.0', onNotification } = config
  const transport = createTransport(config)
  seed ??= crypto.getRandomValues(new Uint8Array(8)).join('')
  return {
    config,
    transport,
    place: transport.place ?? 'the server',
    clientInfo: { name: clientName ?? name, version },
    nonce: `${seed}-${++clients}`,
    // Begins anywhere, so that no two clients of a careless server share one, and is small enough to be fast.
    nextId: (Math.random() * 2 ** 29) | 0,
    era: sessionEra(''),
    server: readInitialize({}),
    pending: new Map(),
    progress: new Map(),
    requestBudget: createRequestBudget(),
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
    closed: false,
  }
}

/** Whether the address of a server was given in place of an object. */
export const isAddress = (target: unknown): target is string | URL =>
  typeof target === 'string' || target instanceof URL

function createTransport({ transport, maxRetries }: MCPClientConfig): Connection['transport'] {
  const hint = 'transport needs an address, an object with type http or sse, or one with send'
  must(typeof transport === 'object' && transport && !isAddress(transport), hint)
  if ('send' in transport) return transport as Connection['transport']
  const { type, ...options } = transport
  must(type === 'http' || type === 'sse', hint)
  const http = new HttpTransport(type === 'sse' ? { ...options, legacy: true } : options)
  http.options.autoOpenStream = false
  if (maxRetries !== undefined) http.options.maxRetries = maxRetries
  return http
}
