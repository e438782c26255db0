import { isObject, type JsonObject } from '../jsonrpc.ts'
import type { ClientCapabilities, TaskStatus } from '../model.ts'
import type { Era } from './era.ts'
import { META_PREFIX, TASKS } from './http-headers.ts'

/** In the session era: where a message says to which task it belongs. */
export const RELATED_TASK = `${META_PREFIX}related-task`
const IMMEDIATE = `${META_PREFIX}model-immediate-response`
const STATUSES = /^(working|input_required|completed|failed|cancelled)$/
/** An id is kept, saved and sent with every look. */
const MAX_ID = 4096

/** What a server told of a task, in the words of either era. */
export interface Snapshot {
  taskId: string
  status: TaskStatus
  statusMessage: string | undefined
  createdAt: string | undefined
  lastUpdatedAt: string | undefined
  /** A number, or nothing: whatever else was said is nonsense. */
  ttlMs: number | undefined
  pollIntervalMs: number | undefined
  immediateResponse: string | undefined
  result: unknown
  error: unknown
  inputRequests: unknown
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const lengthOf = (value: unknown): number | undefined => (typeof value === 'number' && value >= 0 ? value : undefined)

/** The task in a message; undefined when it is none. */
export function readTask(value: unknown, meta?: unknown): Snapshot | undefined {
  if (!isObject(value)) return undefined
  const { taskId, status, ttlMs = value['ttl'], pollIntervalMs = value['pollInterval'] } = value
  if (typeof taskId !== 'string' || !taskId || taskId.length > MAX_ID) return undefined
  if (typeof status !== 'string' || !STATUSES.test(status)) return undefined
  const { result, error, inputRequests, _meta = meta } = value
  return {
    taskId,
    status: status as TaskStatus,
    statusMessage: textOf(value['statusMessage']),
    createdAt: textOf(value['createdAt']),
    lastUpdatedAt: textOf(value['lastUpdatedAt']),
    ttlMs: lengthOf(ttlMs),
    pollIntervalMs: lengthOf(pollIntervalMs),
    immediateResponse: textOf(isObject(_meta) ? _meta[IMMEDIATE] : undefined),
    result,
    error,
    inputRequests,
  }
}

/** The task that a call became; undefined when it was answered at once. */
export function readSeed({ stateless }: Era, result: JsonObject): Snapshot | undefined {
  if (!stateless) return readTask(result['task'], result['_meta'])
  return result['resultType'] === 'task' ? readTask(result) : undefined
}

/** What may answer requests that concern tasks: besides the usual a task, where it is a whole one. */
export const allowsTasks =
  (era: Era): Era['allows'] =>
  (method, result) => {
    // The specification says `complete` for a look at a task, and shows `task`.
    const task = era.stateless
      ? result['resultType'] === 'task' && /^(tools\/call|tasks\/get)$/.test(method)
      : method === 'tools/call' && result['task'] !== undefined
    return task ? readSeed(era, result) !== undefined : era.allows(method, result)
  }

/** What a client can do that knows tasks. */
export const withTasks = ({ extensions, ...others }: ClientCapabilities): ClientCapabilities => ({
  ...others,
  extensions: { ...extensions, [TASKS]: {} },
})
