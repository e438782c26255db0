import type { JsonObject } from '../jsonrpc.ts'
import { type Connection, fail, type RequestOptions } from './connection.ts'
import { lifetime, listPage } from './list.ts'

const MAX_PAGES = 100

/** The pages after the first: all of them as one, and how long that may be kept. */
export async function listRest(
  connection: Connection,
  method: string,
  key: string,
  page: JsonObject,
  options: RequestOptions | undefined,
): Promise<[whole: JsonObject, ttlMs: number]> {
  const items = page[key] as unknown[]
  const seen = new Set<unknown>([undefined])
  let ttlMs = lifetime(connection, page)
  for (let cursor = page['nextCursor']; cursor && typeof cursor === 'string'; cursor = page['nextCursor']) {
    if (seen.has(cursor) || seen.size >= MAX_PAGES)
      return fail(connection, { method }, `has no end: ${seen.size} pages`, 'limit')
    seen.add(cursor)
    page = await listPage(connection, method, key, { cursor }, options)
    for (const item of page[key] as unknown[]) items.push(item)
    ttlMs = Math.min(ttlMs, lifetime(connection, page))
  }
  return [{ ...page, [key]: items }, ttlMs]
}
