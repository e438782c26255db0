import { capabilitiesOf } from '../client/connection.ts'
import { type OwnOptions, request } from '../client/request.ts'
import type { JsonObject } from '../jsonrpc.ts'
import { allowsTasks, withTasks } from '../wire/read-task.ts'
import type { Connection } from '../client/connection.ts'
import type { TaskHandle } from './task-handle.ts'

/** A look that takes longer is a lost one. */
const LOOK_MS = 60_000

/** What requests about tasks say besides. */
export const taskOptions = (connection: Connection): OwnOptions => ({
  allows: allowsTasks(connection.era),
  meta: connection.era.meta(connection, withTasks(capabilitiesOf(connection))),
})

/** Asks the server about a task. */
export function askServer(
  { connection, id, leaving }: TaskHandle,
  method: string,
  params?: JsonObject,
  options?: OwnOptions,
): Promise<JsonObject> {
  const bounds = { timeout: LOOK_MS, maxTotalTimeout: 2 * LOOK_MS, signal: leaving.signal }
  return request(connection, method, { taskId: id, ...params }, { ...bounds, ...taskOptions(connection), ...options })
}
