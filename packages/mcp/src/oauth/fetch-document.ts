import { isObject, type JsonObject, parseJson } from '../jsonrpc.ts'
import { readText } from '../transport/read-text.ts'
import { SseTooLarge } from '../transport/sse.ts'
import { type Reach, reachOf } from './address.ts'
import { OAuthError } from './oauth-error.ts'
import type { OAuthFetch } from './provider.ts'

/** Larger than any honest document. */
const MAX_BYTES = 256 * 1024
const TIMEOUT_MS = 20_000

/** How a flow reaches the network. */
export interface Wire extends Reach {
  fetch: OAuthFetch
  signal?: AbortSignal | undefined
}

/** Those made here: each guards for one server, and is not taken for an application's own. */
const ownFetches = new WeakSet<OAuthFetch>()

export function wireTo(server: URL, given: OAuthFetch | undefined, signal?: AbortSignal): Wire {
  const fetch = given && !ownFetches.has(given) ? given : fetchFor(server)
  return { ...reachOf(server), fetch, signal }
}

interface NodeProcess {
  versions?: { node?: string }
  getBuiltinModule?: unknown
  env?: Record<string, string | undefined>
}

/** The fetch of the platform. In Node, addresses that the server names are checked after they are resolved. */
function fetchFor(server: URL): OAuthFetch {
  const { process, location } = globalThis as { process?: NodeProcess; location?: unknown }
  const canGuard = !location && process?.versions?.node && process.getBuiltinModule
  const fetch: OAuthFetch = async (url, init) => {
    // The server's own address is the application's choice; behind a proxy, the proxy resolves names.
    if (!canGuard || new URL(url).origin === server.origin || process.env?.['NODE_USE_ENV_PROXY'] === '1')
      return globalThis.fetch(url, init)
    return (await import('./guarded-fetch.ts')).guardedFetch(server, url, init)
  }
  ownFetches.add(fetch)
  return fetch
}

export interface Fetched {
  status: number
  headers: Headers
  text: string
}

/** Asks a stranger: bounded in size and time, without cookies, without a trace in a cache, and never redirected. */
export async function fetchBounded(wire: Wire, what: string, address: string, init: RequestInit): Promise<Fetched> {
  const { host } = new URL(address)
  const bound = AbortSignal.timeout(TIMEOUT_MS)
  const signal = wire.signal ? AbortSignal.any([wire.signal, bound]) : bound
  const { fetch } = wire
  try {
    const response = await fetch(address, {
      ...init,
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal,
    })
    const { status, headers, type, redirected } = response
    if (type === 'opaqueredirect' || redirected || (status > 299 && status < 400)) {
      await response.body?.cancel()
      const location = headers.get('location') ?? ''
      const target = URL.canParse(location, address) ? new URL(location, address) : undefined
      const to = target ? ` to ${target.protocol}//${target.host}` : ''
      throw new OAuthError('redirect', `The ${what} of ${host} redirects${to}: not followed`)
    }
    return { status, headers, text: await readText(response, MAX_BYTES) }
  } catch (error) {
    wire.signal?.throwIfAborted()
    if (error instanceof OAuthError) throw error
    if (error instanceof SseTooLarge)
      throw new OAuthError('bad-document', `The ${what} of ${host} has over ${MAX_BYTES} bytes`)
    if (bound.aborted)
      throw new OAuthError('timeout', `The ${what} of ${host} did not come within ${TIMEOUT_MS / 1000} s`)
    // Without the cause: it may quote what was sent.
    throw new OAuthError('network', `The ${what} of ${host} could not be reached (is it down, or closed to this page?)`)
  }
}

/** A JSON object of a stranger; `undefined` where there is no such document. */
export async function fetchDocument(wire: Wire, what: string, address: string): Promise<JsonObject | undefined> {
  const { status, text } = await fetchBounded(wire, what, address, { headers: { accept: 'application/json' } })
  if (status > 399 && status < 500) return undefined
  const { host } = new URL(address)
  if (status !== 200) throw new OAuthError('bad-document', `The ${what} of ${host} failed with HTTP ${status}`)
  // Sites that answer every address with their home page have no such document either.
  if (/^\s*</.test(text)) return undefined
  const document = asObject(text)
  if (!document) throw new OAuthError('bad-document', `The ${what} of ${host} is no JSON object`)
  return document
}

/** The JSON object in a text, or undefined. A field that is null is one that is not there. */
export function asObject(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text)
    if (!isObject(value)) return undefined
    return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null))
  } catch {
    return undefined
  }
}

/** A field that has to be a list of strings, where it is there. */
export function stringsOf(document: JsonObject, name: string, what: string): string[] | undefined {
  const value = document[name]
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw new OAuthError('bad-document', `The ${what} has a ${name} that is no list of strings`)
}
