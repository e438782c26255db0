import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { ProtocolError } from '@modelcontextprotocol/server'
import { object } from './schema.mjs'

export const TASKS = 'io.modelcontextprotocol/tasks'
const TTL_MS = 600_000
/** The oldest give way. */
const MAX_TASKS = 100

/**
 * @typedef {{ status: string, [key: string]: unknown }} State
 * @typedef {{ say(text: string): void, pause(ms: number): Promise<void>, ask(request: object): Promise<any> }} Course
 * @typedef {{ view: State & { taskId: string }, stop: AbortController, answer?: (answers: Record<string, any>) => void }} Task
 */

/** Work that goes on when its call has been answered: the tasks extension of 2026-07-28. */
export function createTasks() {
  /** @type {Map<string, Task>} */
  const tasks = new Map()

  /** @param {Task} task @param {State} state */
  const change = (task, state) => {
    const { taskId, createdAt, ttlMs, pollIntervalMs } = task.view
    task.view = { taskId, createdAt, ttlMs, pollIntervalMs, lastUpdatedAt: new Date().toISOString(), ...state }
  }

  return {
    /**
     * Begins a task, and answers as its call.
     * @param {(course: Course) => Promise<object>} work
     * @returns {any}
     */
    begin(work) {
      const createdAt = new Date().toISOString()
      const times = { createdAt, lastUpdatedAt: createdAt, ttlMs: TTL_MS, pollIntervalMs: 500 }
      /** @type {Task} */
      const task = { view: { taskId: randomUUID(), status: 'working', ...times }, stop: new AbortController() }
      const [oldest] = tasks.keys()
      tasks.set(task.view.taskId, task)
      if (tasks.size > MAX_TASKS && oldest !== undefined) tasks.delete(oldest)
      const { signal } = task.stop
      let questions = 0
      /** @type {Course} */
      const course = {
        say: (statusMessage) => change(task, { status: 'working', statusMessage }),
        pause: (ms) => wait(ms, undefined, { signal }),
        ask: (request) =>
          new Promise((resolve, reject) => {
            const key = `question-${++questions}`
            signal.addEventListener('abort', reject)
            task.answer = (answers) => key in answers && resolve(answers[key])
            const statusMessage = 'Waiting for your answer'
            change(task, { status: 'input_required', statusMessage, inputRequests: { [key]: request } })
          }),
      }
      work(course).then(
        (result) => change(task, { status: 'completed', result }),
        (error) => {
          if (signal.aborted) change(task, { status: 'cancelled', statusMessage: 'Stopped, as you wished' })
          else change(task, { status: 'failed', error: { code: -32603, message: String(error.message) } })
        },
      )
      return { resultType: 'task', ...task.view }
    },
    /** @param {import('@modelcontextprotocol/server').McpServer} server */
    register(server) {
      const params = object({ taskId: { type: 'string' } })
      /** @param {string} method @param {(task: Task, given: any) => Record<string, unknown>} deed */
      const on = (method, deed) =>
        server.server.setRequestHandler(method, { params }, async (/** @type {any} */ { taskId }, { mcpReq }) => {
          const task = tasks.get(taskId)
          if (!task) throw new ProtocolError(-32602, 'There is no such task')
          return deed(task, mcpReq)
        })
      on('tasks/get', ({ view }) => ({ ...view }))
      on('tasks/update', (task, { inputResponses }) => {
        task.answer?.(inputResponses ?? {})
        return {}
      })
      on('tasks/cancel', ({ stop }) => {
        stop.abort()
        return {}
      })
    },
    stop() {
      for (const { stop } of tasks.values()) stop.abort()
    },
  }
}

/**
 * What the client of a request says that it can do.
 * @param {any} mcpReq
 * @returns {{ elicitation?: object, extensions?: Record<string, object> }}
 */
export const capabilitiesOf = ({ envelope, _meta }) =>
  (envelope ?? _meta)?.['io.modelcontextprotocol/clientCapabilities'] ?? {}
