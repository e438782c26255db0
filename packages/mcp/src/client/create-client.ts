import { isAddress } from './create-connection.ts'
import { loaded, type MCPClientConfig, onDemand } from './connection.ts'
import type { ManagedMCPClient, MCPEventAdapter } from './events-later.ts'
import { keepListShape, MCPClient } from './mcp-client.ts'

/** How long a call may be silent: longer than in a console, as programs expect of the AI SDK. */
const TIMEOUT_MS = 60_000

export type WithAdapter<Config> = Config & { experimental_events: { adapter: MCPEventAdapter } }

/**
 * Connects to a server and gives its client: the call of `@ai-sdk/mcp`.
 *
 * @example
 * const client = await createMCPClient('https://example.com/mcp')
 */
export function createMCPClient(config: WithAdapter<MCPClientConfig>): Promise<ManagedMCPClient>
export function createMCPClient(url: string | URL): Promise<MCPClient>
export function createMCPClient(config: MCPClientConfig): Promise<MCPClient>
export async function createMCPClient(target: string | URL | MCPClientConfig): Promise<MCPClient | ManagedMCPClient> {
  const config: MCPClientConfig = isAddress(target) ? { transport: target } : target
  const requestOptions = { ...config?.requestOptions, timeout: config?.requestOptions?.timeout ?? TIMEOUT_MS }
  const client = new MCPClient({ ...config, cache: !!config?.cache, requestOptions })
  keepListShape(client)
  // An adapter is asked before anything is sent.
  if (config.experimental_events) await onDemand().then(() => client.experimental_events)
  try {
    await client.connect()
    // By now it is there, as a rule: what cannot wait for it later, as toolsFromDefinitions, need not.
    if (!loaded.deeds) await onDemand().catch(() => {})
  } catch (error) {
    // Nobody who cannot connect has to wait for a goodbye.
    client.close().catch(() => {})
    throw error
  }
  return client
}
