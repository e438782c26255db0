import { isObject, type JsonObject } from '../jsonrpc.ts'
import type { McpProviderMetadata } from './tool-set.ts'

/**
 * The page that a tool has (MCP Apps), for its metadata; throws for an address that is none. Not that of apps/: imported
 * from here, it would be in everybody's bundle.
 */
export function appOfTool(meta: JsonObject): McpProviderMetadata['app'] {
  const ui = isObject(meta['ui']) ? meta['ui'] : {}
  // Servers of the first drafts have it beside `ui`.
  const resourceUri = ui['resourceUri'] ?? meta['ui/resourceUri']
  if (resourceUri === undefined) return undefined
  if (typeof resourceUri !== 'string' || !resourceUri.startsWith('ui://'))
    throw new TypeError('the address of its app is no ui://')
  const { visibility, ...rest } = ui
  const seen: unknown = typeof visibility === 'string' ? [visibility] : visibility
  return {
    ...rest,
    resourceUri,
    ...(Array.isArray(seen) && { visibility: (['model', 'app'] as const).filter((who) => seen.includes(who)) }),
    mimeType: 'text/html;profile=mcp-app',
  }
}
