import { closingSignal } from '../closing-signal.ts'
import type { Connection } from '../client/connection.ts'
import type { TaskHandle } from './task-handle.ts'

/** The tasks that somebody follows, of one client. */
const live = new WeakMap<Connection, Map<string, TaskHandle>>()

export function liveTasks(connection: Connection): Map<string, TaskHandle> {
  const known = live.get(connection)
  if (known) return known
  const tasks = new Map<string, TaskHandle>()
  live.set(connection, tasks)
  closingSignal(connection).addEventListener('abort', () => {
    for (const task of tasks.values()) task.leaveClosed()
  })
  return tasks
}

/** The clients whose session is kept for the sake of their tasks. */
const keeping = new WeakSet<Connection>()

/** With its session a task of that era ends: while there are some, closing does not give it back, unless the app said so. */
export function keepSession(connection: Connection): void {
  const options = connection.transport.options as { terminateSessionOnClose?: boolean | undefined } | undefined
  if (connection.era.stateless || connection.closed || !options) return
  const busy = liveTasks(connection).size > 0
  if (busy && options.terminateSessionOnClose === undefined) {
    keeping.add(connection)
    options.terminateSessionOnClose = false
  } else if (!busy && keeping.delete(connection)) options.terminateSessionOnClose = undefined
}
