import type { LogLevel } from '../model.ts'
import type { Connection } from './connection.ts'
import { request } from './request.ts'

/** From which level on the server's log messages are wanted. */
export async function setLogLevel(connection: Connection, level: LogLevel): Promise<void> {
  if (!connection.era.stateless) await request(connection, 'logging/setLevel', { level })
  connection.logLevel = level
  connection.meta = undefined
}
