import { must } from '../errors.ts'
import type { Backoff } from './retry-law.ts'
import type { TokenSource } from './token-source.ts'

/** Where a server is, what is sent along, and the bounds of what comes back. */
export interface HttpTransportOptions {
  /** The endpoint of the server. */
  url: string | URL
  /** Sent with every request, to this endpoint only. */
  headers?: Record<string, string>
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /**
   * Given to every `fetch`: `credentials`, `cache`, `mode` and the like. Its headers are sent too, below `headers`. What the
   * transport sets itself (`method`, `body`, `signal`, `redirect`) is a TypeError here.
   */
  requestInit?: RequestInit | undefined
  /**
   * 307 and 308 within the origin are followed where the platform shows them, as with `'follow'`; all others end in an error.
   * `'error'` follows none.
   */
  redirect?: 'error' | 'follow'
  /** Continue this session instead of beginning one. */
  initialSessionId?: string | undefined
  /** The name that the official transport has for `initialSessionId`. */
  sessionId?: string | undefined
  initialProtocolVersion?: string | undefined
  /** The name that the official 2.x transport has for `initialProtocolVersion`. */
  protocolVersion?: string | undefined
  onSessionIdChange?: ((sessionId: string | undefined) => void) | undefined
  onSessionExpired?: ((sessionId: string) => void) | undefined
  /** Whether `close()` ends the session at the server. Default true. */
  terminateSessionOnClose?: boolean
  tokenSource?: TokenSource
  /** Bound of one message in bytes. Default 16 MiB. */
  maxMessageBytes?: number
  /** How often a refused request is sent again. Default 3. */
  maxRetries?: number
  backoff?: Backoff
  /** How often an answer stream is resumed without anything new on it. Default 10. */
  reconnects?: number
  /** The same and the waits in between, as the official transport names them; what is left out is as without it. */
  reconnectionOptions?: ReconnectionOptions | undefined
  /** A silent stream of the server's own is opened anew after this. Default five minutes. */
  streamIdleMs?: number
  /** Open the server's own stream as soon as the session is initialized. Default true. */
  autoOpenStream?: boolean
  /** Speak only HTTP+SSE, the transport of the first revision. */
  legacy?: boolean
}

/** How broken streams are resumed, in the words of the official transport. */
export interface ReconnectionOptions {
  /** Bound of the first wait in milliseconds; the wait itself is a random part of it. */
  initialReconnectionDelay?: number | undefined
  /** The bound grows to this at most. */
  maxReconnectionDelay?: number | undefined
  /** What the bound is multiplied by after each failure. */
  reconnectionDelayGrowFactor?: number | undefined
  /** How often an answer stream is resumed without anything new on it: `reconnects`. */
  maxRetries?: number | undefined
}

/** A misspelt option would silently do nothing: says which, and what there is. */
export function refuseOption(key: string, known: readonly string[], where: string): never {
  const hint = key === 'authProvider' ? 'import from @switchboard/mcp/oauth' : `only ${known.join(' ')}`
  throw new TypeError(`${where}: no option "${key}", ${hint}`)
}

/** What `requestInit` cannot have, because the transport decides it for each request. */
const OWN_INIT = ['method', 'body', 'signal', 'redirect'] as const

type Defaulted = 'headers' | 'maxMessageBytes' | 'maxRetries' | 'reconnects' | 'streamIdleMs' | 'backoff' | 'legacy'

/** All of them are there, most of them undefined. */
export type ResolvedOptions = {
  [K in Exclude<keyof HttpTransportOptions, 'url' | 'reconnectionOptions' | Defaulted>]:
    | HttpTransportOptions[K]
    | undefined
} & Required<Pick<HttpTransportOptions, Defaulted>> & {
    url: string
    /** The waits between the connections of a stream. */
    reconnectionOptions: Backoff
  }

/** The address of the latest transport, whole and looked at. Many are made for the same one, and reading it is the longest part of that. */
let latest: string | undefined

/** The options with every default in its place; throws a TypeError for a programmer's mistake. */
export function resolveOptions(
  target: string | URL | HttpTransportOptions,
  beside?: Omit<HttpTransportOptions, 'url'>,
): ResolvedOptions {
  const given: HttpTransportOptions =
    typeof target === 'string' || target instanceof URL ? { ...beside, url: target } : target
  must(!beside || given !== target, 'Options belong into the first argument, or behind an address')
  must(given?.url, 'A url is needed')
  if (given.url !== latest) {
    const { href } = new URL(given.url, globalThis.location?.href || undefined)
    // Its parts, asked for one by one, take longer.
    must(/^https?:\/\/[^@/]+\//.test(href), 'url must be http(s) without credentials')
    latest = href
  }
  const { fetch, tokenSource, requestInit, reconnectionOptions } = given
  let { headers } = given
  const backoff = { baseMs: 250, capMs: 20_000, ...given.backoff }
  // Name by name: copying with a spread and adding to the copy takes a hundred times as long.
  const options: ResolvedOptions = {
    url: latest,
    headers: headers ?? {},
    fetch,
    requestInit,
    redirect: given.redirect,
    initialSessionId: given.initialSessionId ?? given.sessionId,
    sessionId: given.sessionId,
    initialProtocolVersion: given.initialProtocolVersion ?? given.protocolVersion,
    protocolVersion: given.protocolVersion,
    onSessionIdChange: given.onSessionIdChange,
    onSessionExpired: given.onSessionExpired,
    terminateSessionOnClose: given.terminateSessionOnClose,
    tokenSource,
    maxMessageBytes: given.maxMessageBytes ?? 16 << 20,
    maxRetries: given.maxRetries ?? 3,
    backoff,
    reconnects: given.reconnects ?? reconnectionOptions?.maxRetries ?? 10,
    reconnectionOptions: backoff,
    streamIdleMs: given.streamIdleMs ?? 300_000,
    autoOpenStream: given.autoOpenStream,
    legacy: !!given.legacy,
  }
  for (const key in given) if (!(key in options)) refuseOption(key, Object.keys(options), 'HttpTransport')
  must(!fetch || typeof fetch === 'function', 'fetch must be a function')
  const source = tokenSource as { token?: unknown; challenge?: unknown } | undefined
  must(!source || (source.token && source.challenge), 'tokenSource needs token and challenge')
  if (reconnectionOptions) {
    options.reconnectionOptions = {
      baseMs: reconnectionOptions.initialReconnectionDelay ?? backoff.baseMs,
      capMs: reconnectionOptions.maxReconnectionDelay ?? backoff.capMs,
      growFactor: reconnectionOptions.reconnectionDelayGrowFactor,
    }
  }
  for (const key of OWN_INIT) must(requestInit?.[key] == null, `requestInit cannot have ${key}`)
  try {
    if (requestInit?.headers) {
      const merged = new Headers(requestInit.headers)
      new Headers(headers).forEach((value, name) => merged.set(name, value))
      headers = options.headers = Object.fromEntries(merged)
    }
    if (headers) new Headers(headers)
  } catch {
    // Without the cause: it would show the value.
    must(false, 'headers cannot be sent')
  }
  return options
}
