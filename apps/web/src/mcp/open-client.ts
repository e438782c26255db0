import { HttpTransport, MCPClient } from '@switchboard/mcp'
import type { Server } from '#domain/server.ts'
import type { Route } from './companion-route.ts'

export interface OpenedClient {
  client: MCPClient
  transport: HttpTransport
}

/** A client for one server, not yet connected. */
export function openClient(
  { url, headers }: Route,
  { timeoutSeconds, retries }: Pick<Server, 'timeoutSeconds' | 'retries'>,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  signal: AbortSignal,
): OpenedClient {
  const timeout = timeoutSeconds * 1000
  const transport = new HttpTransport({ url, headers, fetch, maxRetries: retries, autoOpenStream: false })
  const client = new MCPClient({
    transport,
    clientName: 'switchboard',
    maxRetries: retries,
    initializationOptions: { timeout, signal },
    requestOptions: { timeout },
    // What belongs to no call has nobody to be told to; calls tell of their own failures.
    onUncaughtError: () => {},
  })
  return { client, transport }
}
