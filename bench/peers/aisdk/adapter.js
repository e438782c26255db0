import { createMCPClient } from '@ai-sdk/mcp'

export const meta = { id: 'aisdk', eras: ['2025', '2026'], hasProgress: false }

export function connect(url) {
  // Default settings: probes with server/discover, falls back to initialize.
  return createMCPClient({ transport: { type: 'http', url } })
}

export async function listTools(client) {
  const tools = []
  let cursor
  do {
    const page = await client.listTools(cursor === undefined ? undefined : { params: { cursor } })
    tools.push(...page.tools)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return tools
}

/** No progress API: notifications reach onUncaughtError at most, so `onProgress` is never called. */
export function callTool(client, name, args) {
  return client.callTool({ name, arguments: args })
}

export function convert(client, definitions) {
  return client.toolsFromDefinitions(definitions)
}

export function close(client) {
  return client.close()
}
