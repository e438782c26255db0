import { type MCPClientConfig, onDemand } from './connection.ts'
import { MCPClient } from './mcp-client.ts'

/**
 * Connects to a server and gives its client: the call of `@ai-sdk/mcp`.
 *
 * @example
 * const client = await createMCPClient({ transport: { type: 'http', url: 'https://example.com/mcp' } })
 */
export async function createMCPClient(config: MCPClientConfig): Promise<MCPClient> {
  const client = new MCPClient({ cache: false, ...config })
  try {
    await client.connect()
    // By now it is there, as a rule: what cannot wait for it later, as toolsFromDefinitions, need not.
    await onDemand().catch(() => {})
  } catch (error) {
    await client.close()
    throw error
  }
  return client
}
