import { must } from '../errors.ts'
import { isObject, type JsonObject } from '../jsonrpc.ts'
import { type Connection, fail, meanwhile, onDemand, type RequestOptions } from './connection.ts'
import { request } from './request.ts'

/** Which page of a list, and the options of the call; without a cursor all pages are read. */
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
  must(typeof given !== 'object' || !('cursor' in given), 'The cursor belongs into params: { params: { cursor } }')
  const { params, options } = typeof given === 'object' ? given : {}
  const whole = !params?.cursor
  const cached = given !== true && whole && cache.get<T>(method)
  if (cached) return cached
  const { epoch } = cache
  let page = await listPage(connection, method, key, params, options)
  if (!whole) return page as T
  let ttlMs = lifetime(connection, page)
  if (page['nextCursor']) [page, ttlMs] = await (await onDemand()).listRest(connection, method, key, page, options)
  cache.set(method, page, ttlMs, epoch)
  if (ttlMs > 0 && config.cache) meanwhile(connection, ({ keepTrue }) => keepTrue(connection, method))
  return page as T
}

/** One page, with what can be used of it. */
export async function listPage(
  connection: Connection,
  method: string,
  key: string,
  params: JsonObject | undefined,
  options: RequestOptions | undefined,
): Promise<JsonObject> {
  let raw = ''
  const ontext = (text: string): void => {
    raw = text
  }
  const page = await request(connection, method, params, { ...options, ontext })
  const found = page[key]
  if (!Array.isArray(found)) return fail(connection, { method }, `was answered without ${key}`, 'protocol')
  // A filter only, and a short one: from seven characters on the search is ten times slower.
  if (!found.every(hasName) || (connection.era.stateless && key === 'tools' && raw.includes('-mcp-h')))
    page[key] = (await onDemand()).keepUsable(connection, found)
  return page
}

/** How long an answer may be kept: what the server says, and without sessions nothing where it says nothing. */
export function lifetime({ era, config }: Connection, { ttlMs }: JsonObject): number {
  if (typeof ttlMs === 'number') return Math.min(ttlMs, 86_400_000)
  return config.cache && !era.stateless ? Infinity : 0
}

/** What has no name cannot be asked for. */
export const hasName = (item: unknown): item is JsonObject =>
  isObject(item) && typeof (item['name'] ?? item['uri']) === 'string'
