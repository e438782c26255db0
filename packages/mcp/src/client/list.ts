import { MCPError } from '../errors.ts'
import { isObject, type JsonObject } from '../jsonrpc.ts'
import type { ParamHeader } from '../wire/param-headers.ts'
import { type Connection, fail, type ListKind, onDemand, type RequestOptions, report } from './connection.ts'
import { request } from './request.ts'

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
  const { cache, config, server } = connection
  const { stateless } = connection.era
  const { params, options = {} } = typeof given === 'object' ? given : {}
  const whole = !params?.cursor
  const cached = given !== true && whole && cache.get<T>(method)
  if (cached) return cached
  const seen = new Set<unknown>()
  const items: unknown[] = []
  let ttlMs = Infinity
  for (let cursor: unknown = params?.cursor; ; ) {
    let raw = ''
    const ontext = (text: string): void => {
      raw = text
    }
    const page = await request(connection, method, cursor ? { ...params, cursor } : params, { ...options, ontext })
    const found = page[key]
    if (!Array.isArray(found)) return fail(connection, { method }, `was answered without ${key}`, 'protocol')
    // A filter only, and a short one: from seven characters on the search is ten times slower.
    const readHeaders =
      stateless && key === 'tools' && raw.includes('-mcp-h') ? (await onDemand()).paramHeaders : undefined
    for (const item of found) if (isUsable(connection, item, readHeaders)) items.push(item)
    ttlMs = Math.min(ttlMs, lifetime(connection, page))
    seen.add(cursor)
    const { nextCursor } = page
    if (!nextCursor || typeof nextCursor !== 'string' || !whole) {
      const result = { ...page, [key]: items }
      if (whole) cache.set(method, result, ttlMs)
      // A list kept for as long as it is true needs the stream that tells when it is not.
      const kind = method.split('/')[0] as ListKind
      if (whole && ttlMs > 0 && config.cache && server.capabilities[kind]?.listChanged)
        await (await onDemand()).openStream(connection)
      return result as T
    }
    cursor = nextCursor
    if (seen.has(cursor) || seen.size >= MAX_PAGES) {
      return fail(connection, { method }, `has no end: ${seen.size} pages`, 'limit')
    }
  }
}

/** How long an answer may be kept: what the server says, and without sessions nothing where it says nothing. */
export function lifetime({ era, config }: Connection, { ttlMs }: JsonObject): number {
  if (typeof ttlMs === 'number') return Math.min(ttlMs, 86_400_000)
  return config.cache && !era.stateless ? Infinity : 0
}

/** What has no name cannot be asked for; a tool whose header annotations are wrong cannot be called. */
function isUsable(
  connection: Connection,
  item: unknown,
  readHeaders: ((inputSchema: unknown) => ParamHeader[]) | undefined,
): boolean {
  const { name, uri, inputSchema } = (isObject(item) ? item : {}) as { [key: string]: unknown }
  try {
    if (typeof (name ?? uri) !== 'string') throw new TypeError('no name')
    if (readHeaders) connection.toolHeaders.set(name as string, readHeaders(inputSchema))
    return true
  } catch (cause) {
    report(connection)(
      new MCPError(`${connection.place} lists what cannot be used: ${(cause as Error).message}`, 'protocol', { cause }),
    )
    return false
  }
}
