import { createMCPClient } from '../../../packages/mcp/dist/index.js'

export const meta = { id: 'switchboard', eras: ['2025', '2026'] }

export function connect(url, { era }) {
  return createMCPClient({
    transport: { type: 'http', url, maxMessageBytes: 64 << 20 },
    protocolVersionDiscovery: era === '2026',
  })
}

export async function listTools(client) {
  return (await client.listTools()).tools
}

export function callTool(client, name, args, onProgress) {
  return client.callTool({ name, arguments: args, ...(onProgress === undefined ? {} : { options: { onProgress } }) })
}

export function convert(client, definitions) {
  return client.toolsFromDefinitions(definitions)
}

export function close(client) {
  return client.close()
}
