import { type Connection, fail, type RequestOptions } from '../client/connection.ts'
import { list } from '../client/list.ts'
import { isMCPError } from '../errors.ts'
import { isObject } from '../jsonrpc.ts'
import type { ListToolsResult } from '../model.ts'
import { unlessAborted } from '../transport/retry-law.ts'
import { TASKS } from '../wire/http-headers.ts'

/** Whether a call of a tool may, must or cannot become a task; `server`: it decides itself. */
export type TaskSupport = 'server' | 'required' | 'optional' | 'forbidden'

interface Known {
  readonly epoch: number
  readonly tools: Promise<Map<string, unknown>>
}
const known = new WeakMap<Connection, Known>()

/** What the server says of tasks for this tool. With sessions its list says so: a call that only tried might run, and its result be lost. */
export async function taskSupport(
  connection: Connection,
  name: string,
  options?: RequestOptions,
): Promise<TaskSupport> {
  const { tasks, extensions } = connection.server.capabilities
  if (connection.era.stateless) return extensions?.[TASKS] ? 'server' : 'forbidden'
  const requests = isObject(tasks) ? tasks['requests'] : undefined
  const ofTools = isObject(requests) ? requests['tools'] : undefined
  if (!isObject(ofTools) || !ofTools['call']) return 'forbidden'
  let support = (await listed(connection, options, false)).get(name)
  // It may be newer than what we know.
  if (support === undefined) support = (await listed(connection, options, true)).get(name)
  return support === 'required' || support === 'optional' ? support : 'forbidden'
}

/** What the list of tools says, asked for once until it changes. Many wait for it: no caller's bounds are those of the list. */
function listed(connection: Connection, options: RequestOptions | undefined, anew: boolean): Known['tools'] {
  const { epoch } = connection.cache
  const before = known.get(connection)
  if (before?.epoch === epoch && !anew) return bounded(connection, before.tools, options)
  const tools = list<ListToolsResult>(connection, 'tools/list', 'tools', anew).then(
    ({ tools }) =>
      new Map<string, unknown>(tools.map((tool) => [tool.name, tool.execution?.taskSupport ?? 'forbidden'])),
    (error: unknown) => {
      if (known.get(connection) === own) known.delete(connection)
      // Who lists no tools may yet run them.
      if (isMCPError(error) && error.reason === 'rpc') return new Map<string, unknown>()
      throw error
    },
  )
  const own = { epoch, tools }
  known.set(connection, own)
  return bounded(connection, tools, options)
}

/** Waits as long as one caller wants to. */
async function bounded<T>(
  connection: Connection,
  promise: Promise<T>,
  { signal, timeout = Infinity, maxTotalTimeout = Infinity }: RequestOptions = {},
): Promise<T> {
  const ms = Math.min(timeout, maxTotalTimeout)
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const stop = (): void =>
      void fail(connection, { method: 'tools/list' }, `had no answer after ${ms} ms`, 'timeout').catch(reject)
    if (ms < 2 ** 31) timer = setTimeout(stop, ms)
  })
  try {
    return await unlessAborted(Promise.race([promise, late]), signal)
  } finally {
    clearTimeout(timer)
  }
}
