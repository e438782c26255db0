import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import {
  createMcpHandler,
  fromJsonSchema,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  Server,
} from '@modelcontextprotocol/server'

/** The script of a task: the arguments of the tool `work`. */
export interface Work {
  /** So many steps, each with a message. Default 3. */
  steps?: number
  stepMs?: number
  /** So many questions after the steps, one after the other. */
  ask?: number
  /** All questions together. */
  askAtOnce?: boolean
  outcome?: 'complete' | 'tool-error' | 'fail'
  /** Goes on when it is asked to stop. */
  stubborn?: boolean
  ttlMs?: number | null
  pollIntervalMs?: number | null
  /** Makes a task of the call although the client knows none. */
  rude?: boolean
  /** No task at all: answers at once. */
  quick?: boolean
}

/** One request as it arrived. */
export interface TaskRequest {
  at: number
  method: string
  params: { [key: string]: any }
}

export interface TaskServer {
  readonly url: string
  /** What arrived so far. */
  readonly requests: TaskRequest[]
  /** The requests of this method. */
  of(method: string): TaskRequest[]
  /** Answers the next requests of a method with an HTTP error. */
  refuse(method: string, times: number, status: number, headers?: Record<string, string>): void
  /** From now on every request is answered with this HTTP error; undefined ends it. */
  refuseAll(status: number | undefined): void
  /** How the tasks stand that were ever begun, with what they were begun with. */
  states(): { work: Work; status: string }[]
  /** Requests that have no answer yet, and streams that stand. */
  readonly open: number
  /** No task ends before this is called back. */
  hold(): () => void
  /** Every connection breaks. */
  drop(): void
  /** Nobody listens any more, and every connection breaks. The tasks go on. */
  stopListening(): Promise<void>
  /** Listens again, at the same address. */
  listenAgain(): Promise<void>
  close(): Promise<void>
}

interface TaskView {
  taskId: string
  status: string
  [key: string]: unknown
}
interface RunningTask {
  work: Work
  view: TaskView
  stopped: boolean
  answer?: (given: Record<string, unknown>) => void
}

const META = 'io.modelcontextprotocol/'
const EXTENSION = `${META}tasks`
const REQUIRED = { requiredCapabilities: { extensions: { [EXTENSION]: {} } } }
const aboutTask = fromJsonSchema<{ taskId: string }>({
  type: 'object',
  properties: { taskId: { type: 'string' } },
  required: ['taskId'],
})

function mustKnowTasks(meta: any): void {
  if (!meta?.[`${META}clientCapabilities`]?.extensions?.[EXTENSION])
    throw new MissingRequiredClientCapabilityError(REQUIRED)
}

const question = (number: number) => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: `Question ${number}?`,
    requestedSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  },
})

/**
 * A server with the tasks extension of 2026-07-28, on the official server SDK, which does not know it yet: `work` does what
 * its arguments say, `quick` answers at once. `push: false` leaves `subscriptions/listen` to the SDK, which tells of no task.
 */
export async function startTaskServer({ push = true }: { push?: boolean } = {}): Promise<TaskServer> {
  const tasks = new Map<string, RunningTask>()
  const listeners = new Set<(view: TaskView) => void>()
  const timers = new Set<NodeJS.Timeout>()
  const requests: TaskRequest[] = []
  const open = new Set<ServerResponse>()
  let refusalOfAll: number | undefined
  let held: Promise<void> | undefined
  const refusals = new Map<string, { times: number; status: number; headers: Record<string, string> }>()

  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        resolve()
      }, ms)
      timers.add(timer)
    })

  function change(task: RunningTask, fields: Record<string, unknown>): void {
    if (/completed|failed|cancelled/.test(task.view.status)) return
    const { inputRequests: _left, ...kept } = task.view
    task.view = { ...(kept as TaskView), ...fields, lastUpdatedAt: new Date().toISOString() }
    for (const tell of listeners) tell(task.view)
  }

  async function askFor(task: RunningTask, from: number, to: number): Promise<Record<string, unknown>> {
    const open = new Map<string, unknown>()
    for (let number = from; number < to; number++) open.set(`q${number}`, question(number))
    const answers: Record<string, unknown> = {}
    while (open.size > 0 && !task.stopped) {
      const given = new Promise<Record<string, unknown>>((resolve) => {
        task.answer = resolve
      })
      const inputRequests = Object.fromEntries(open)
      change(task, { status: 'input_required', statusMessage: 'I need an answer', inputRequests })
      for (const [key, value] of Object.entries(await given)) if (open.delete(key)) answers[key] = value
    }
    change(task, { status: 'working', statusMessage: 'Thank you' })
    return answers
  }

  async function run(task: RunningTask): Promise<void> {
    const { steps = 3, stepMs = 100, ask = 0, askAtOnce, outcome = 'complete', stubborn } = task.work
    const stops = (): boolean => task.stopped && !stubborn
    const end = (): void => change(task, { status: 'cancelled', statusMessage: 'Stopped as asked' })
    for (let step = 1; step <= steps; step++) {
      await wait(stepMs)
      if (stops()) return end()
      change(task, { status: 'working', statusMessage: `step ${step} of ${steps}` })
    }
    const answers: Record<string, unknown> = {}
    for (let number = 1; number <= ask && !task.stopped; number = askAtOnce ? ask + 1 : number + 1)
      Object.assign(answers, await askFor(task, number, askAtOnce ? ask + 1 : number + 1))
    await held
    if (stops()) return end()
    if (outcome === 'fail') {
      const error = { code: -32055, message: 'It broke', data: { why: 'asked to' } }
      return change(task, { status: 'failed', statusMessage: 'It broke', error })
    }
    const isError = outcome === 'tool-error'
    const text = isError ? 'The tool says no' : `Done ${JSON.stringify(answers)}`
    const result = { content: [{ type: 'text', text }], structuredContent: { answers }, isError }
    change(task, { status: 'completed', statusMessage: 'Done', result })
  }

  function begin(work: Work): TaskView {
    const now = new Date().toISOString()
    const { ttlMs = 60_000, pollIntervalMs = 200 } = work
    const times = { createdAt: now, lastUpdatedAt: now, ttlMs }
    const view = { taskId: randomUUID(), status: 'working', statusMessage: 'Begun', ...times }
    const task: RunningTask = {
      work,
      view: pollIntervalMs === null ? view : { ...view, pollIntervalMs },
      stopped: false,
    }
    tasks.set(view.taskId, task)
    void run(task)
    return task.view
  }

  function find(taskId: string): RunningTask {
    const task = tasks.get(taskId)
    if (!task) throw new ProtocolError(-32602, 'Failed to retrieve task: Task not found')
    const { createdAt, ttlMs } = task.view as { createdAt?: string; ttlMs?: number | null }
    if (typeof ttlMs === 'number' && Date.now() > Date.parse(createdAt ?? '') + ttlMs)
      throw new ProtocolError(-32602, 'Failed to retrieve task: Task has expired')
    return task
  }

  function build(): Server {
    const server = new Server(
      { name: 'tasks', version: '1.0.0' },
      { capabilities: { tools: {}, extensions: { [EXTENSION]: {} } } },
    )
    const inputSchema = { type: 'object' as const }
    server.setRequestHandler('tools/list', () => ({
      tools: [
        { name: 'work', description: 'Long work', inputSchema },
        { name: 'quick', inputSchema },
      ],
    }))
    server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
      const work = (params.arguments ?? {}) as Work
      if (params.name === 'quick' || work.quick) return { content: [{ type: 'text', text: 'at once' }] }
      if (!work.rude) mustKnowTasks((mcpReq as any).envelope ?? mcpReq._meta)
      // What a task is made with holds neither questions nor a result.
      return { resultType: 'task', ...begin(work) } as any
    })
    const method = (name: string, deed: (task: RunningTask, given: any) => object): void =>
      server.setRequestHandler(
        name as 'ping',
        { params: aboutTask } as any,
        ((params: any, { mcpReq }: any) => {
          mustKnowTasks(mcpReq.envelope ?? mcpReq._meta)
          return deed(find(params.taskId), mcpReq)
        }) as any,
      )
    method('tasks/get', (task) => ({ ...task.view }))
    // The SDK takes the answers out of the parameters of every method.
    method('tasks/update', (task, { inputResponses }) => {
      task.answer?.(inputResponses ?? {})
      return {}
    })
    method('tasks/cancel', (task) => {
      task.stopped = true
      task.answer?.({})
      return {}
    })
    return server
  }

  /** Stands in front of the SDK's own listen, which agrees to tell of no task. */
  function listen(response: ServerResponse, { id, params }: any): void {
    const wanted = new Set((params.notifications.taskIds as string[]).filter((taskId) => tasks.has(taskId)))
    const _meta = { [`${META}subscriptionId`]: id }
    const send = (name: string, told: object): void => {
      const message = { jsonrpc: '2.0', method: `notifications/${name}`, params: { ...told, _meta } }
      response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
    send('subscriptions/acknowledged', { notifications: { taskIds: [...wanted] } })
    const tell = (view: TaskView): void => {
      if (wanted.has(view.taskId)) send('tasks', view)
    }
    listeners.add(tell)
    response.once('close', () => listeners.delete(tell))
  }

  const handler = createMcpHandler(build, { legacy: 'reject' })
  const answer = toNodeHandler(handler)

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('access-control-allow-origin', '*')
    if (request.method === 'OPTIONS') {
      response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '')
      return void response.writeHead(204).end()
    }
    let text = ''
    for await (const chunk of request) text += chunk
    const body = text ? JSON.parse(text) : undefined
    const { method = '', params = {}, id } = body ?? {}
    requests.push({ at: performance.now(), method, params })
    open.add(response)
    response.once('close', () => open.delete(response))
    if (refusalOfAll !== undefined) return void response.writeHead(refusalOfAll).end()
    const refusal = refusals.get(method)
    if (refusal && refusal.times-- > 0) return void response.writeHead(refusal.status, refusal.headers).end()
    if (push && method === 'subscriptions/listen' && Array.isArray(params.notifications?.taskIds)) {
      try {
        mustKnowTasks(params._meta)
      } catch (error) {
        const { code, message } = error as ProtocolError
        response.writeHead(400, { 'content-type': 'application/json' })
        return void response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data: REQUIRED } }))
      }
      return listen(response, body)
    }
    await answer(request as Parameters<typeof answer>[0], response, body)
  }

  const server = createServer((request, response) => {
    // Whose connection breaks has nobody to answer.
    serve(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stopListening = async (): Promise<void> => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    requests,
    get open() {
      return open.size
    },
    states: () => [...tasks.values()].map(({ work, view: { status } }) => ({ work, status })),
    refuseAll: (status) => void (refusalOfAll = status),
    drop: () => server.closeAllConnections(),
    hold() {
      let release = () => {}
      held = new Promise((resolve) => (release = resolve))
      return release
    },
    stopListening,
    async listenAgain() {
      if (server.listening) return
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    of: (method) => requests.filter((request) => request.method === method),
    refuse: (method, times, status, headers = {}) => void refusals.set(method, { times, status, headers }),
    async close() {
      for (const timer of timers) clearTimeout(timer)
      await handler.close()
      await stopListening()
    },
  }
}
