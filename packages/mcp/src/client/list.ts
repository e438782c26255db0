import { isObject, type JsonObject } from '../jsonrpc.ts'
import { type Connection, fail, meanwhile, onDemand, type RequestOptions } from './connection.ts'
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
  const { cache, config } = connection
  const { stateless } = connection.era
  const { params, options = {} } = typeof given === 'object' ? given : {}
  const whole = !params?.cursor
  const cached = given !== true && whole && cache.get<T>(method)
  if (cached) return cached
  const { epoch } = cache
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
    const plain = found.every(hasName) && !(stateless && key === 'tools' && raw.includes('-mcp-h'))
    for (const item of plain ? found : (await onDemand()).keepUsable(connection, found)) items.push(item)
    ttlMs = Math.min(ttlMs, lifetime(connection, page))
    seen.add(cursor)
    const { nextCursor } = page
    if (!nextCursor || typeof nextCursor !== 'string' || !whole) {
      const result = { ...page, [key]: items }
      if (whole) cache.set(method, result, ttlMs, epoch)
      if (whole && ttlMs > 0 && config.cache) meanwhile(connection, ({ keepTrue }) => keepTrue(connection, method))
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

/** What has no name cannot be asked for. */
export const hasName = (item: unknown): item is JsonObject =>
  isObject(item) && typeof (item['name'] ?? item['uri']) === 'string'
