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
   * 307 and 308 within the origin are followed where the platform shows them, as with `'follow'`; all others end in an error.
   * `'error'` follows none.
   */
  redirect?: 'error' | 'follow'
  /** Continue this session instead of beginning one. */
  initialSessionId?: string | undefined
  initialProtocolVersion?: string | undefined
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
  /** A silent stream of the server's own is opened anew after this. Default five minutes. */
  streamIdleMs?: number
  /** Open the server's own stream as soon as the session is initialized. Default true. */
  autoOpenStream?: boolean
  /** Speak only HTTP+SSE, the transport of the first revision. */
  legacy?: boolean
}

/** A misspelt option would silently do nothing: says which, and what there is. */
export function refuseOption(key: string, known: readonly string[], where: string): never {
  const hint = key === 'authProvider' ? 'import from @switchboard/mcp/oauth' : `only ${known.join(' ')}`
  throw new TypeError(`${where}: no option "${key}", ${hint}`)
}

type Defaulted = 'headers' | 'maxMessageBytes' | 'maxRetries' | 'reconnects' | 'streamIdleMs' | 'backoff' | 'legacy'

/** All of them are there, most of them undefined. */
export type ResolvedOptions = {
  [K in Exclude<keyof HttpTransportOptions, 'url' | Defaulted>]: HttpTransportOptions[K] | undefined
} & Required<Pick<HttpTransportOptions, Defaulted>> & { url: string }

/** The address of the latest transport, whole and looked at. Many are made for the same one, and reading it is the longest part of that. */
let latest: string | undefined

/** The options with every default in its place; throws a TypeError for a programmer's mistake. */
export function resolveOptions(target: string | URL | HttpTransportOptions): ResolvedOptions {
  const given: HttpTransportOptions = typeof target === 'string' || target instanceof URL ? { url: target } : target
  must(given?.url, 'A url is needed')
  if (given.url !== latest) {
    const { href } = new URL(given.url, globalThis.location?.href || undefined)
    // Its parts, asked for one by one, take longer.
    must(/^https?:\/\/[^@/]+\//.test(href), 'url must be http(s) without credentials')
    latest = href
  }
  const { fetch, headers, tokenSource } = given
  // Name by name: copying with a spread and adding to the copy takes a hundred times as long.
  const options: ResolvedOptions = {
    url: latest,
    headers: headers ?? {},
    fetch,
    redirect: given.redirect,
    initialSessionId: given.initialSessionId,
    initialProtocolVersion: given.initialProtocolVersion,
    onSessionIdChange: given.onSessionIdChange,
    onSessionExpired: given.onSessionExpired,
    terminateSessionOnClose: given.terminateSessionOnClose,
    tokenSource,
    maxMessageBytes: given.maxMessageBytes ?? 16 << 20,
    maxRetries: given.maxRetries ?? 3,
    backoff: { baseMs: 250, capMs: 20_000, ...given.backoff },
    reconnects: given.reconnects ?? 10,
    streamIdleMs: given.streamIdleMs ?? 300_000,
    autoOpenStream: given.autoOpenStream,
    legacy: !!given.legacy,
  }
  for (const key in given) if (!(key in options)) refuseOption(key, Object.keys(options), 'HttpTransport')
  must(!fetch || typeof fetch === 'function', 'fetch must be a function')
  const source = tokenSource as { token?: unknown; challenge?: unknown } | undefined
  must(!source || (source.token && source.challenge), 'tokenSource needs token and challenge')
  try {
    if (headers) new Headers(headers)
  } catch {
    // Without the cause: it would show the value.
    must(false, 'headers cannot be sent')
  }
  return options
}
