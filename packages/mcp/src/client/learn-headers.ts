import { isMCPError } from '../errors.ts'
import type { Connection } from './connection.ts'
import { list } from './list.ts'

/** The headers of a call did not match, so nothing ran: the list tells which ones the server wants now. Throws all else. */
export async function learnHeaders(connection: Connection, error: unknown): Promise<void> {
  if (!connection.era.stateless || !isMCPError(error) || error.code !== -32020) throw error
  await list(connection, 'tools/list', 'tools', true)
}
