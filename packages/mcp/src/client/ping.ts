import type { Connection, RequestOptions } from './connection.ts'
import { request } from './request.ts'

/** Asks whether the server is there; where there is no ping, by what every server must answer. */
export async function ping(connection: Connection, options?: RequestOptions): Promise<void> {
  await request(connection, connection.era.stateless ? 'server/discover' : 'ping', undefined, options)
}
