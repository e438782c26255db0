import type { JsonObject, JsonRpcNotification, JsonRpcRequest, JsonRpcResponse } from '@switchboard/mcp'
import type { Call } from './call.ts'
import { errorAnswer, isObject } from './json-rpc.ts'
import { type Link, metaOf } from './link.ts'
import { createListeners } from './listeners.ts'
import { createQuestions } from './questions.ts'
import { isEnvelope, LOG_LEVEL, SERVER, STATELESS, TASKS } from './revisions.ts'
import { createSessionTasks, knowsTasks } from './session-tasks.ts'
import { statusOf } from './stateless-link.ts'
import { createToolTasks } from './tool-tasks.ts'
import type { Wire, WireOptions } from './wire.ts'

/** Methods that both eras have, and whether their answers say how long they hold. */
const SHARED = new Map([
  ['tools/list', true],
  ['tools/call', false],
  ['prompts/list', true],
  ['prompts/get', false],
  ['resources/list', true],
  ['resources/templates/list', true],
  ['resources/read', true],
  ['completion/complete', false],
])
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']
/** It never said how long its answers hold. */
const UNCACHED = { ttlMs: 0, cacheScope: 'private' }

/**
 * A program that knows only sessions, offered without them. It has one session, with us, in which it was told what
 * the clients of this link can do; what it asks back becomes a result that asks for input.
 */
export function createSessionLink(wire: Wire, met: JsonObject): Link {
  const { capabilities, instructions, serverInfo } = met
  const offered = isObject(capabilities) ? capabilities : {}
  const running = new Map<Call, JsonRpcRequest>()
  const listeners = createListeners(wire, offered)
  const questions = createQuestions(wire)
  const tasks = createSessionTasks(wire)
  const toolTasks = createToolTasks(wire)
  const { tasks: taskCapability, ...known } = offered
  const extensions = isObject(known['extensions']) ? known['extensions'] : {}
  const hasTasks = runsTasks(taskCapability)
  let level: unknown

  wire.onrequest = (question) => {
    if (!tasks.ask(question)) questions.ask(question)
  }
  wire.onnotification = (message) => {
    toolTasks.hear(message)
    tasks.hear(message)
    if (message.method === 'notifications/message') log(message)
    else listeners.hear(message)
  }
  wire.onend = () => {
    listeners.dropAll()
    questions.forgetAll()
  }

  /** A program does not say to which call a line of its log belongs: told only where there is no doubt. */
  const log = (message: JsonRpcNotification): void => {
    const loudness = LEVELS.indexOf(String(message.params?.['level']))
    const [only, ...more] = [...running].filter(([, request]) => metaOf(request)[LOG_LEVEL] !== undefined)
    if (only && more.length === 0 && loudness >= LEVELS.indexOf(String(metaOf(only[1])[LOG_LEVEL])))
      only[0].tell(message)
  }
  const setLevel = (wanted: unknown): void => {
    if (wanted === undefined || wanted === level || !offered['logging']) return
    level = wanted
    void wire.request('logging/setLevel', { level: wanted })
  }

  const pass = async (call: Call, request: JsonRpcRequest): Promise<void> => {
    if (questions.resume(call, request)) return
    const { method } = request
    const abort = new AbortController()
    const round = questions.begin(call, request, abort)
    running.set(call, request)
    abort.signal.addEventListener('abort', () => running.delete(call))
    setLevel(metaOf(request)[LOG_LEVEL])
    const ontold = (message: JsonRpcNotification): void => round.call?.tell(message)
    const options = { signal: abort.signal, ontold }
    const isTask = method === 'tools/call' && hasTasks && (await toolTasks.isNeeded(request.params?.['name']))
    const answer = isTask
      ? await runTask(request, options)
      : translate(await wire.request(method, withoutEnvelope(request), options), SHARED.get(method))
    running.delete(call)
    round.settle(answer, statusOf(answer))
  }

  /** A tool that runs only as a task: the client gets the task where it knows such, else we wait for its result. */
  const runTask = async (request: JsonRpcRequest, options: WireOptions & { signal: AbortSignal }) => {
    const answer = await wire.request(request.method, { ...withoutEnvelope(request), task: {} }, options)
    const task = 'result' in answer ? answer.result['task'] : undefined
    if (!isObject(task)) return translate(answer)
    if (knowsTasks(request)) return { ...answer, result: tasks.begin(task) }
    return translate(await tasks.result(String(task['taskId']), options.signal))
  }

  return {
    isBusy: () => wire.waiting > 0 || listeners.count > 0 || tasks.isBusy(),
    take(call, request) {
      const { method } = request
      if (method === 'server/discover') {
        const result: JsonObject = {
          supportedVersions: [STATELESS],
          capabilities: { ...known, ...(hasTasks && { extensions: { ...extensions, [TASKS]: {} } }) },
          ...(instructions !== undefined && { instructions }),
          ...(isObject(serverInfo) && { _meta: { [SERVER]: serverInfo } }),
        }
        call.settle(translate({ jsonrpc: '2.0', id: call.id, result }, true))
      } else if (method === 'subscriptions/listen') listeners.add(call, request)
      else if (SHARED.has(method)) void pass(call, request)
      else if (hasTasks && /^tasks\/(get|update|cancel)$/.test(method)) void tasks.take(call, request)
      else call.settle(errorAnswer(call.id, -32601, `There is no ${method.slice(0, 100)} here`), 404)
    },
  }
}

function translate(answer: JsonRpcResponse, isCacheable = false): JsonRpcResponse {
  if ('error' in answer) return answer
  return { ...answer, result: { ...answer.result, resultType: 'complete', ...(isCacheable && UNCACHED) } }
}

/** Whether calls of tools may become tasks. */
function runsTasks(capability: unknown): boolean {
  const requests = isObject(capability) ? capability['requests'] : undefined
  const tools = isObject(requests) ? requests['tools'] : undefined
  return isObject(tools) && isObject(tools['call'])
}

/** The parameters as a program of the session era expects them. */
function withoutEnvelope(request: JsonRpcRequest): JsonObject {
  const { _meta, inputResponses: _answers, requestState: _state, ...params } = request.params ?? {}
  const meta = Object.fromEntries(Object.entries(isObject(_meta) ? _meta : {}).filter(([key]) => !isEnvelope(key)))
  return Object.keys(meta).length > 0 ? { ...params, _meta: meta } : params
}
