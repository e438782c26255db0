import { must } from '../errors.ts'
import type { ReadResourceResult } from '../model.ts'
import type { Connection, WithOptions } from './connection.ts'
import { lifetime } from './list.ts'
import { request } from './request.ts'
import { watchUpdates } from './subscribe.ts'

/** Reads a resource; what the server says stays true for a while is not asked again until then. */
export async function readResource(
  connection: Connection,
  { uri, options }: WithOptions<{ uri: string }>,
): Promise<ReadResourceResult> {
  must(typeof uri === 'string', 'uri must be a string')
  const key = `resources/read ${uri}`
  const cached = connection.cache.get<ReadResourceResult>(key)
  if (cached) return cached
  watchUpdates(connection)
  const { epoch } = connection.cache
  const result = await request(connection, 'resources/read', { uri }, options)
  if (result['ttlMs']) connection.cache.set(key, result, lifetime(connection, result), epoch)
  return result as unknown as ReadResourceResult
}
