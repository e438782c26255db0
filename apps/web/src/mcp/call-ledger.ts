import type { Companion } from './companion.ts'
import { throughRelay } from './relay-answers.ts'

type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** So long an answer of the companion counts, whether it may reach the server. */
const KNOWN_MS = 5_000

/**
 * Sends tool calls through the companion, whose ledger answers a repeated call instead of making it again: over plain HTTP/1.1
 * Chromium itself repeats a POST when a reused connection dies before the headers. Everything else, and every call that the
 * companion may not pass on, goes straight to the server.
 */
export function callsThroughLedger(fetch: Fetch, serverUrl: string, companion: Companion): Fetch {
  const { origin } = new URL(serverUrl)
  let known: { at: number; relay: Promise<string | undefined> } | undefined
  const relay = (): Promise<string | undefined> => {
    const now = performance.now()
    if (known && now - known.at < KNOWN_MS) return known.relay
    const asked = companion.relayReach(origin).then(
      ({ isAllowed, relay: place }) => (isAllowed ? place : undefined),
      () => undefined,
    )
    known = { at: now, relay: asked }
    return asked
  }
  return async (url, init) => {
    if (!isToolCall(init) || new URL(url).origin !== origin) return fetch(url, init)
    const place = await relay()
    if (place === undefined) return fetch(url, init)
    const given = Object.fromEntries(new Headers(init.headers))
    const headers = { ...given, ...(await companion.pass()), 'x-switchboard-forward': Object.keys(given).join(', ') }
    return throughRelay(fetch, url)(`${place}${encodeURIComponent(url)}`, { ...init, headers })
  }
}

function isToolCall({ method, body }: RequestInit): boolean {
  if (method !== 'POST' || typeof body !== 'string' || !body.includes('"tools/call"')) return false
  try {
    return (JSON.parse(body) as { method?: unknown } | null)?.method === 'tools/call'
  } catch {
    return false
  }
}
