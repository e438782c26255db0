import type { RequestOptions } from '../client/connection.ts'
import { isObject, type JsonObject } from '../jsonrpc.ts'
import { MCP_APP_MIME_TYPE } from './app-extension.ts'
import { refusal } from './refuse-app.ts'

/** Where the page of an app wants to connect, load from and frame: wishes, for a host to grant. */
export interface MCPAppResourceCSP {
  connectDomains?: string[]
  resourceDomains?: string[]
  frameDomains?: string[]
  baseUriDomains?: string[]
  [key: string]: unknown
}
/** What the page asks of its host: wishes of a stranger. */
export interface MCPAppResourceMeta {
  prefersBorder?: boolean
  csp?: MCPAppResourceCSP
  permissions?: JsonObject
  [key: string]: unknown
}
/** The page of an app, as its server sent it. */
export interface MCPAppResource {
  uri: string
  mimeType: typeof MCP_APP_MIME_TYPE
  /** Untrusted: show it in a sandboxed frame of another origin. */
  html: string
  meta?: MCPAppResourceMeta
}

/** Any client that can read resources. */
interface Reader {
  readResource(given: { uri: string; options?: RequestOptions }): Promise<{ contents: readonly unknown[] }>
}

/** Reads the page of an app. */
export async function readMCPAppResource({
  client,
  uri,
  options,
}: {
  client: Reader
  uri: string
  options?: RequestOptions | undefined
}): Promise<MCPAppResource> {
  if (!uri.startsWith('ui://')) throw refusal('Unsupported MCP App resource URI', uri)
  const { contents } = await client.readResource({ uri, ...(options && { options }) })
  const content = contents.find((one): one is JsonObject => isObject(one) && one['uri'] === uri)
  if (!content) throw refusal('MCP App resource not found in read result', uri)
  const { mimeType, text, blob, _meta } = content
  if (mimeType !== MCP_APP_MIME_TYPE) throw refusal('Unsupported MCP App resource MIME type', mimeType)
  const html = typeof text === 'string' ? text : decode(blob)
  if (html === undefined) throw refusal('Unsupported MCP App resource content format', uri)
  const ui = isObject(_meta) ? _meta['ui'] : undefined
  return { uri, mimeType, html, ...(isObject(ui) && { meta: readMeta(ui) }) }
}

function decode(blob: unknown): string | undefined {
  if (typeof blob !== 'string') return undefined
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(blob), (character) => character.charCodeAt(0)))
  } catch {
    return undefined
  }
}

/** What is of the wrong kind is left out; what is unknown stays. */
function readMeta({ prefersBorder, csp, permissions, ...rest }: JsonObject): MCPAppResourceMeta {
  return {
    ...rest,
    ...(typeof prefersBorder === 'boolean' && { prefersBorder }),
    ...(isObject(csp) && { csp: readPolicy(csp) }),
    ...(isObject(permissions) && { permissions }),
  }
}

function readPolicy(csp: JsonObject): MCPAppResourceCSP {
  const entries = Object.entries(csp).flatMap(([key, value]): [string, unknown][] => {
    if (!key.endsWith('Domains')) return [[key, value]]
    return Array.isArray(value) ? [[key, value.filter(isSource)]] : []
  })
  return Object.fromEntries(entries)
}

/** A host that writes these into its policy would write `; script-src *` or `'unsafe-eval'` there too. */
const isSource = (value: unknown): boolean => typeof value === 'string' && /^[^\s;,'"]+$/.test(value)
