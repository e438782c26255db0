import type { Connection, Roots } from './connection.ts'
import { notify } from './request.ts'

/** What the server may look at; one that knew of roots is told that they changed. */
export async function setRoots(connection: Connection, roots: Roots): Promise<void> {
  const { roots: before, server, era } = connection
  connection.roots = roots
  connection.meta = undefined
  if (before && server.protocolVersion && !era.stateless) await notify(connection, 'notifications/roots/list_changed')
}
