import { MCPError, quote } from '../errors.ts'
import { isObject, type JsonObject } from '../jsonrpc.ts'
import { mentionsParamHeaders, paramHeaders } from '../wire/param-headers.ts'
import type { Connection, ListKind, RequestOptions } from './connection.ts'
import { request } from './request.ts'
import { openStream } from './subscribe.ts'

const MAX_PAGES = 100

export interface ListArguments {
  params?: { cursor?: string } | undefined
  options?: RequestOptions | undefined
}

/** Lists everything, page by page, or the one page that a cursor names. `true` goes past the cache. */
export async function list<T>(
  connection: Connection,
  method: string,
  key: string,
  given: boolean | ListArguments | undefined,
): Promise<T> {
  const { params, options = {} } = typeof given === 'object' ? given : {}
  const { cursor } = params ?? {}
  const cached = given === true || cursor !== undefined ? undefined : connection.cache.get<T>(method)
  if (cached) return cached
  const seen = new Set<unknown>()
  const items: unknown[] = []
  let page: JsonObject
  let ttlMs = Infinity
  let next: unknown = cursor
  do {
    let raw = ''
    page = await request(connection, method, typeof next === 'string' ? { ...params, cursor: next } : params, {
      ...options,
      ontext: (text) => {
        raw = text
      },
    })
    const found = page[key]
    const place = `${method} at ${connection.place}`
    if (!Array.isArray(found)) throw new MCPError(`${place} was answered without ${key}`, 'protocol', { method })
    const kept = key === 'tools' && connection.era.stateless ? keepCallable(connection, found, raw) : found
    for (const item of kept) items.push(item)
    ttlMs = Math.min(ttlMs, lifetime(connection, page))
    next = page['nextCursor'] ?? undefined
    if (next !== undefined && (seen.has(next) || seen.size >= MAX_PAGES)) {
      throw new MCPError(
        `${place} goes on without end: ${seen.size} pages, the last cursor again or too many`,
        'limit',
        { method },
      )
    }
    seen.add(next)
  } while (next !== undefined && cursor === undefined)
  const result = { ...page, [key]: items }
  if (cursor === undefined) {
    connection.cache.set(method, result, ttlMs)
    const kind = method.slice(0, method.indexOf('/')) as ListKind
    // A list kept for as long as it is true needs the stream that tells when it is not.
    if (ttlMs > 0 && connection.config.cache && connection.server.capabilities[kind]?.listChanged)
      await openStream(connection)
  }
  return result as T
}

/** How long an answer may be kept: what the server says, and without sessions nothing where it says nothing. */
export function lifetime({ era, config }: Connection, { ttlMs }: JsonObject): number {
  if (typeof ttlMs === 'number') return Math.min(ttlMs, 86_400_000)
  return config.cache && !era.stateless ? Infinity : 0
}

/** Remembers which arguments travel as headers; drops the tools that ask for it wrongly, as they could not be called. */
function keepCallable({ toolHeaders, config, place }: Connection, tools: unknown[], raw: string): unknown[] {
  if (raw !== '' && !mentionsParamHeaders(raw)) return tools
  return tools.filter((tool) => {
    if (!isObject(tool)) return false
    const name = String(tool['name'])
    try {
      toolHeaders.set(name, paramHeaders(tool['inputSchema']))
      return true
    } catch (cause) {
      const text = `Tool ${quote(name)} of ${place} left out: its x-mcp-header ${(cause as Error).message}`
      config.onUncaughtError?.(new MCPError(text, 'protocol', { method: 'tools/list', cause }))
      return false
    }
  })
}
