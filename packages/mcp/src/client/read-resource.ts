import type { ReadResourceResult } from '../model.ts'
import { requestWithInput } from './answer-input.ts'
import type { Connection, RequestOptions } from './connection.ts'
import { lifetime } from './list.ts'

/** Reads a resource; what the server says stays true for a while is not asked again until then. */
export async function readResource(
  connection: Connection,
  uri: string,
  options: RequestOptions = {},
): Promise<ReadResourceResult> {
  const key = `resources/read ${uri}`
  const cached = connection.cache.get<ReadResourceResult>(key)
  if (cached) return cached
  const { result, asked } = await requestWithInput(connection, 'resources/read', { uri }, options)
  // Without a word of the server only subscribed resources could be kept; and answers to questions belong to one call.
  if (!asked && typeof result['ttlMs'] === 'number') connection.cache.set(key, result, lifetime(connection, result))
  return result as unknown as ReadResourceResult
}
