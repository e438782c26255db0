import {
  HttpTransport,
  MCPClient,
  type MCPClientConfig,
  mcpAppClientCapabilities,
  type TokenSource,
} from '@switchboard/mcp'
import type { Server } from '#domain/server.ts'
import type { Route } from './companion-route.ts'
import { type Pace, paceRequests } from './pace-requests.ts'

export interface OpenedClient {
  client: MCPClient
  transport: HttpTransport
}

/** A client for one server, not yet connected. */
export function openClient(
  { url, headers, through }: Route,
  { timeoutSeconds, retries }: Pick<Server, 'timeoutSeconds' | 'retries'>,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  signal: AbortSignal,
  /** Where the user set a limit. */
  pace?: Pace,
  /** Where tokens come from, for a server that may be signed in to. */
  tokenSource?: TokenSource,
  /** Who answers what the server asks, and the session to go on with, where there is one. */
  more: Pick<MCPClientConfig, 'onElicitationRequest' | 'onSamplingRequest' | 'session'> = {},
): OpenedClient {
  const timeout = timeoutSeconds * 1000
  const send = through ? through(fetch) : fetch
  const paced = pace && paceRequests(send, pace)
  const transport = new HttpTransport({
    url,
    headers,
    fetch: paced?.fetch ?? send,
    maxRetries: retries,
    autoOpenStream: false,
    ...(tokenSource && { tokenSource }),
  })
  paced?.watch(transport)
  const client = new MCPClient({
    transport,
    clientName: 'switchboard',
    capabilities: mcpAppClientCapabilities,
    maxRetries: retries,
    initializationOptions: { timeout, signal },
    requestOptions: { timeout },
    // What belongs to no call has nobody to be told to; calls tell of their own failures.
    onUncaughtError: () => {},
    ...more,
  })
  return { client, transport }
}
