import { isObject, type JsonObject } from '../jsonrpc.ts'
import { refusal } from './refuse-app.ts'

/** What a tool says of its app. */
export interface MCPAppToolMeta {
  /** The page of the tool. */
  resourceUri?: string
  /** Who may call it; without it the model alone. */
  visibility?: ('model' | 'app')[]
  [key: string]: unknown
}

/** What a tool says of its app; undefined when it has none, throws where what it says makes no sense. */
export function readMCPAppToolMeta(tool: { _meta?: unknown }): MCPAppToolMeta | undefined {
  const meta: JsonObject = isObject(tool._meta) ? tool._meta : {}
  const ui = isObject(meta['ui']) ? meta['ui'] : undefined
  // Servers of the first drafts have it beside `ui`.
  const resourceUri = ui?.['resourceUri'] ?? meta['ui/resourceUri']
  if (resourceUri === undefined && !ui) return undefined
  if (resourceUri !== undefined && !(typeof resourceUri === 'string' && resourceUri.startsWith('ui://')))
    throw refusal('Invalid MCP App resource URI', JSON.stringify(resourceUri))
  const { visibility: given, resourceUri: _uri, ...rest } = ui ?? {}
  const visibility = given === undefined ? undefined : whoSees(given)
  return { ...rest, ...(resourceUri !== undefined && { resourceUri }), ...(visibility && { visibility }) }
}

function whoSees(given: unknown): ('model' | 'app')[] {
  const entries: unknown[] | undefined = Array.isArray(given) ? given : typeof given === 'string' ? [given] : undefined
  if (!entries) throw refusal('Invalid MCP App visibility', JSON.stringify(given))
  return entries.filter((entry) => entry === 'model' || entry === 'app')
}
