import { closingSignal } from '../closing-signal.ts'
import type { Connection } from '../client/connection.ts'
import type { TaskHandle } from './task-handle.ts'

/** The tasks that somebody follows, of one client. */
const live = new WeakMap<Connection, Map<string, TaskHandle>>()

/** Those whose transport ended by itself, as when a program dies: it cannot come back, and no look will succeed. */
const gone = new WeakSet<Connection>()
export const isGone = (connection: Connection): boolean => gone.has(connection)

export function liveTasks(connection: Connection): Map<string, TaskHandle> {
  const known = live.get(connection)
  if (known) return known
  const tasks = new Map<string, TaskHandle>()
  live.set(connection, tasks)
  closingSignal(connection).addEventListener('abort', () => {
    for (const task of tasks.values()) task.leaveClosed()
  })
  const { transport } = connection
  const { onclose } = transport
  transport.onclose = () => {
    gone.add(connection)
    onclose?.()
    for (const task of tasks.values()) task.leaveGone()
  }
  return tasks
}

/** Ids of tasks that may still run, followed or not, with the session of each. */
const running = new WeakMap<Connection, Map<string, string | undefined>>()
/** Of tasks that were left, nobody hears the end: the oldest are forgotten. */
const MAX_RUNNING = 1000

export function isRunning(connection: Connection, id: string): boolean {
  const known = running.get(connection)
  return known?.has(id) === true && known.get(id) === connection.transport.sessionId
}

/** A task began. */
export function noteRunning(connection: Connection, id: string): void {
  const known = running.get(connection) ?? new Map<string, string | undefined>()
  running.set(connection, known)
  known.set(id, connection.transport.sessionId)
  if (known.size > MAX_RUNNING) known.delete(known.keys().next().value!)
  keepSession(connection)
}

/** A task is over, or the server was told that nobody wants it. */
export function noteOver(connection: Connection, id: string): void {
  running.get(connection)?.delete(id)
  keepSession(connection)
}

/** The clients whose session is kept for the sake of their tasks. */
const keeping = new WeakSet<Connection>()

/** With its session a task of that era ends: while there are some, closing does not give it back, unless the app said so. */
function keepSession(connection: Connection): void {
  const options = connection.transport.options as { terminateSessionOnClose?: boolean | undefined } | undefined
  if (connection.era.stateless || connection.closed || !options) return
  const busy = [...(running.get(connection)?.keys() ?? [])].some((id) => isRunning(connection, id))
  if (busy && options.terminateSessionOnClose === undefined) {
    keeping.add(connection)
    options.terminateSessionOnClose = false
  } else if (!busy && keeping.delete(connection)) options.terminateSessionOnClose = undefined
}
