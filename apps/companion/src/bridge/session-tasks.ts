import type { JsonObject, JsonRpcNotification, JsonRpcRequest, JsonRpcResponse } from '@switchboard/mcp'
import type { Call } from './call.ts'
import { errorAnswer, isObject } from './json-rpc.ts'
import { metaOf } from './link.ts'
import { CAPABILITIES, RELATED_TASK, TASKS } from './revisions.ts'
import type { Wire } from './wire.ts'

const MAX_TASKS = 200
const USUAL_TTL_MS = 600_000

/** What is kept of a task, beside what its program knows. */
interface Task {
  readonly questions: Map<string, JsonRpcRequest>
  /** Until when its program must not be ended for want of use. */
  until: number
  /** Its result has been asked for: that is how a program of the session era gets to ask its questions. */
  outcome?: Promise<JsonRpcResponse>
}

/** The tasks of a program of the session era, in the words of the extension that the era without sessions has for them. */
export interface SessionTasks {
  /** The task that a call became, as the answer to it. */
  begin(task: JsonObject): JsonObject
  /** Waits for the result in place of a client that knows no tasks. */
  result(taskId: string, signal: AbortSignal): Promise<JsonRpcResponse>
  /** Answers a request that is about a task. */
  take(call: Call, request: JsonRpcRequest): Promise<void>
  /** Keeps a question for the client of its task; false when it belongs to none. */
  ask(question: JsonRpcRequest): boolean
  hear(message: JsonRpcNotification): void
  isBusy(): boolean
}

export const knowsTasks = (request: JsonRpcRequest): boolean => {
  const capabilities = metaOf(request)[CAPABILITIES]
  const extensions = isObject(capabilities) ? capabilities['extensions'] : undefined
  return isObject(extensions) && isObject(extensions[TASKS])
}

export function createSessionTasks(wire: Wire): SessionTasks {
  const tasks = new Map<string, Task>()
  let count = 0

  const settle = (call: Call, result: JsonObject): void =>
    call.settle({ jsonrpc: '2.0', id: call.id, result: { resultType: 'complete', ...result } })
  const outcomeOf = (taskId: string, task: Task): Promise<JsonRpcResponse> =>
    (task.outcome ??= wire.request('tasks/result', { taskId }))

  /** How a task is, with its questions or its result. */
  const look = async (call: Call, taskId: string, task: Task): Promise<void> => {
    const answer = await wire.request('tasks/get', { taskId })
    if ('error' in answer) return call.settle({ ...answer, id: call.id })
    const view = flatten(answer.result)
    if (view['status'] === 'input_required') {
      void outcomeOf(taskId, task)
      const inputRequests = Object.fromEntries(
        [...task.questions].map(([key, question]) => [key, withoutTask(question)]),
      )
      // It wants to ask, and has not yet: the next look will show it.
      return settle(call, task.questions.size > 0 ? { ...view, inputRequests } : { ...view, status: 'working' })
    }
    if (view['status'] === 'working') return settle(call, view)
    task.until = 0
    if (view['status'] === 'cancelled') return settle(call, view)
    const outcome = await outcomeOf(taskId, task)
    settle(
      call,
      'error' in outcome
        ? { ...view, status: 'failed', error: outcome.error }
        : { ...view, status: 'completed', result: { ...outcome.result, resultType: 'complete' } },
    )
  }

  return {
    begin(made) {
      const task = flatten(made)
      const ttlMs = typeof task['ttlMs'] === 'number' ? task['ttlMs'] : USUAL_TTL_MS
      tasks.set(String(task['taskId']), { questions: new Map(), until: performance.now() + ttlMs })
      const [oldest] = tasks.keys()
      if (tasks.size > MAX_TASKS && oldest !== undefined) tasks.delete(oldest)
      return { ...task, resultType: 'task' }
    },
    result(taskId, signal) {
      signal.addEventListener('abort', () => void wire.request('tasks/cancel', { taskId }), { once: true })
      return wire.request('tasks/result', { taskId }, { signal })
    },
    async take(call, request) {
      const { method, params = {} } = request
      if (!knowsTasks(request)) {
        const data = { requiredCapabilities: { extensions: { [TASKS]: {} } } }
        return call.settle(errorAnswer(call.id, -32021, 'This is for clients that know tasks', data), 400)
      }
      const taskId = String(params['taskId'])
      const task = tasks.get(taskId)
      if (!task) return call.settle(errorAnswer(call.id, -32602, 'There is no such task'))
      if (method === 'tasks/get') return look(call, taskId, task)
      if (method === 'tasks/update') answerQuestions(wire, task, params['inputResponses'])
      if (method === 'tasks/cancel') {
        const answer = await wire.request('tasks/cancel', { taskId })
        if ('error' in answer) return call.settle({ ...answer, id: call.id })
      }
      settle(call, {})
    },
    ask(question) {
      const related = metaOf(question)[RELATED_TASK]
      const task = isObject(related) ? tasks.get(String(related['taskId'])) : undefined
      task?.questions.set(`question-${++count}`, question)
      return task !== undefined
    },
    hear({ method, params = {} }) {
      const task = method === 'notifications/tasks/status' ? tasks.get(String(params['taskId'])) : undefined
      if (task && !['working', 'input_required'].includes(String(params['status']))) task.until = 0
    },
    isBusy: () => [...tasks.values()].some(({ until }) => performance.now() < until),
  }
}

function answerQuestions(wire: Wire, { questions }: Task, responses: unknown): void {
  for (const [key, { id }] of questions) {
    const answer = isObject(responses) && Object.hasOwn(responses, key) ? responses[key] : undefined
    if (!isObject(answer)) continue
    questions.delete(key)
    wire.answer(id, { result: answer })
  }
}

/** Both eras tell the same of a task, one of them under other names. */
function flatten({ ttl, pollInterval, _meta, ...task }: JsonObject): JsonObject {
  return { ...task, ttlMs: ttl ?? null, ...(pollInterval !== undefined && { pollIntervalMs: pollInterval }) }
}

function withoutTask({ method, params = {} }: JsonRpcRequest): JsonObject {
  const { _meta, ...rest } = params
  return { method, params: rest }
}
