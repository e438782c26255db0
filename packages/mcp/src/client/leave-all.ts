import { MCPError } from '../errors.ts'
import type { Connection } from './connection.ts'

/** Ends every wait with the news that the client is closed. */
export function leaveAll({ pending, place }: Connection): void {
  const closed = new MCPError(`${place} did not answer: the client is closed`, 'closed', { lost: true })
  const error = { code: -32603, message: closed.message }
  for (const [id, { settle }] of pending) settle({ jsonrpc: '2.0', id: id as number, error }, { failure: closed })
}
