import {
  createMCPClient,
  InMemoryOAuthProvider,
  type InteractiveProviderOptions,
  type MCPClient,
  type OAuthClientProvider,
  type OAuthError,
  type OAuthFault,
  oauthErrorOf,
} from '@switchboard/mcp/oauth'
import { AuthorizationServer, Listener } from '@switchboard/testkit/authorization-server'
import { everythingIn } from '@switchboard/testkit/fault-oracle'
import type { FaultServer, FaultServerOptions } from '@switchboard/testkit/fault-server'
import { type Protection, protect } from '@switchboard/testkit/protected-server'
import { expect, onTestFinished, vi } from 'vitest'
import { closing, quick, serve } from '../faults/scenario.ts'

interface Scenario {
  readonly houses: AuthorizationServer[]
  readonly listeners: Listener[]
  readonly servers: FaultServer[]
  readonly printed: string[]
  /** Addresses that the library asked for through a recording fetch. */
  readonly asked: string[]
}

let current: Scenario | undefined

function scenario(): Scenario {
  if (current) return current
  const begun: Scenario = { houses: [], listeners: [], servers: [], printed: [], asked: [] }
  current = begun
  const spies = (['log', 'info', 'warn', 'error', 'debug', 'trace'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((...values: unknown[]) => {
      begun.printed.push(values.map((value) => everythingIn(value)).join(' '))
    }),
  )
  onTestFinished(async () => {
    current = undefined
    for (const spy of spies) spy.mockRestore()
    try {
      nothingLeaked(begun)
    } finally {
      for (const one of [...begun.houses, ...begun.listeners]) await one.close()
    }
  })
  return begun
}

/**
 * The oracle of every row: what one authorization server gave is told to no other, to no listener and to no log; the MCP
 * server hears of access tokens only, in one header only; and no address holds any of it.
 */
function nothingLeaked({ houses, listeners, servers, printed, asked }: Scenario): void {
  for (const house of houses) {
    const { secrets } = house
    const find = (text: string, where: string) => {
      for (const secret of secrets) expect(text.includes(secret), `${secret} ${where}`).toBe(false)
    }
    for (const other of [...houses, ...listeners]) {
      if (other !== house) find(other.heard, 'at another listener')
      for (const { path, query } of other.requests) find(path + String(query), 'in an address')
    }
    for (const { ledger } of servers) {
      for (const { headers, path, message } of ledger.entries) {
        const { authorization, ...rest } = headers
        find(JSON.stringify([path, message, rest]), 'at the MCP server')
        const shown = String(authorization).split(' ')[1] ?? ''
        if (secrets.includes(shown)) expect(house.tokens.has(shown), 'no access token in Authorization').toBe(true)
      }
    }
    find(printed.join('\n'), 'in the console')
    find(asked.join('\n'), 'in an address')
  }
}

export async function startHouse(change?: (as: AuthorizationServer) => void): Promise<AuthorizationServer> {
  const { houses } = scenario()
  const as = await new AuthorizationServer().start()
  houses.push(as)
  change?.(as)
  return as
}

/** A place where nothing secret may arrive. */
export async function startListener(): Promise<Listener> {
  const { listeners } = scenario()
  const listener = await new Listener().start()
  listeners.push(listener)
  return listener
}

export interface World {
  mcp: FaultServer
  as: AuthorizationServer
  protection: Protection
}

/** An MCP server that wants tokens, and the authorization server that gives them. */
export async function world(
  rules: Partial<Protection> = {},
  options: FaultServerOptions = { era: 'stateless' },
): Promise<World> {
  const { servers } = scenario()
  const as = await startHouse()
  const mcp = await serve(options)
  servers.push(mcp)
  return { mcp, as, protection: protect(mcp, as, rules) }
}

/** A second MCP server behind the same or another authorization server. */
export async function serveProtected(as: AuthorizationServer, rules: Partial<Protection> = {}): Promise<World> {
  const { servers } = scenario()
  const mcp = await serve({ era: 'stateless' })
  servers.push(mcp)
  return { mcp, as, protection: protect(mcp, as, rules) }
}

export const REDIRECT = 'http://127.0.0.1:8765/callback'

/** A person who signs in at once; the sign-in pages that were opened are in `opened`. */
export function person(
  { mcp, as }: Pick<World, 'mcp' | 'as'>,
  options: Partial<InteractiveProviderOptions> = {},
): InMemoryOAuthProvider & { opened: URL[] } {
  const opened: URL[] = []
  const signIn = options.signIn ?? ((url: URL) => as.signIn(url))
  const provider = new InMemoryOAuthProvider({
    serverUrl: mcp.url,
    redirectUrl: REDIRECT,
    ...options,
    signIn: (url) => {
      opened.push(url)
      return signIn(url)
    },
  })
  return Object.assign(provider, { opened })
}

/** A fetch that writes down what it is asked, and finds names like `https://mcp.example` on loopback. */
export function recordingFetch(places: Record<string, string> = {}) {
  const { asked } = scenario()
  const fetch = (address: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = new URL(address instanceof Request ? address.url : address)
    asked.push(url.href)
    const place = places[url.origin] ?? url.origin
    if (new URL(place).hostname !== '127.0.0.1') return Promise.reject(new TypeError('fetch failed'))
    return globalThis.fetch(place + url.pathname + url.search, init)
  }
  return { fetch, asked, origins: () => [...new Set(asked.map((url) => new URL(url).origin))] }
}

type ConnectOptions = Parameters<typeof createMCPClient>[0]
type TransportOptions = Partial<Extract<ConnectOptions['transport'], { url: unknown }>>

export async function connect(
  { mcp }: Pick<World, 'mcp'>,
  authProvider: OAuthClientProvider,
  transport: TransportOptions = {},
  rest: Partial<Omit<ConnectOptions, 'transport'>> = {},
): Promise<MCPClient> {
  const client = await createMCPClient({
    transport: { type: 'http', url: mcp.url, backoff: quick, authProvider, ...transport },
    protocolVersionDiscovery: mcp.era === 'stateless' || mcp.era === 'both',
    ...rest,
  })
  return closing(client)
}

/** The OAuth failure of a promise that must fail: typed, of this kind, and without any secret in it. */
export async function refusalOf(promise: Promise<unknown>, fault: OAuthFault | OAuthFault[]): Promise<OAuthError> {
  const secrets = () => (current?.houses ?? []).flatMap((house) => house.secrets)
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if (!('error' in outcome)) throw new Error(`It did not fail but gave ${JSON.stringify(outcome.value)?.slice(0, 300)}`)
  const { error } = outcome
  const shown = `${everythingIn(error)} ${JSON.stringify(error)}`
  expect(shown, 'a secret in an error').not.toMatch(/canary/i)
  for (const secret of secrets()) expect(shown.includes(secret), `${secret} in an error`).toBe(false)
  const found = oauthErrorOf(error)
  if (!found) throw new Error(`Not an OAuthError: ${everythingIn(error)}`)
  expect([fault].flat(), `${found.fault}: ${found.message}`).toContain(found.fault)
  // oxlint-disable-next-line no-control-regex
  expect(found.message, 'control characters in a message').not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
  return found
}

/** Time goes on by itself for the library, without waiting. */
export function skipTime(): { by: (ms: number) => void } {
  let skipped = 0
  const real = performance.now.bind(performance)
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => real() + skipped)
  onTestFinished(() => spy.mockRestore())
  return { by: (ms) => void (skipped += ms) }
}
