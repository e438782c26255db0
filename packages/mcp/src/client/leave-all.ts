import { failure } from '../failure.ts'
import type { Connection } from './connection.ts'

/** Ends every wait with the news that the client is closed. */
export function leaveAll({ pending, place }: Connection): void {
  for (const [id, { settle, about, repeatable }] of pending) {
    const details = { lost: true, repeatable }
    const closed = failure(place, about, 'was not answered: the client is closed', 'closed', details)
    const error = { code: -32603, message: closed.message }
    settle({ jsonrpc: '2.0', id: id as number, error }, { failure: closed })
  }
}
