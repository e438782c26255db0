import { type Connection, onDemand, report } from '../client/connection.ts'
import { requestOnce } from '../client/request.ts'
import { isObject, type JsonObject, type JsonRpcRequest } from '../jsonrpc.ts'
import { RELATED_TASK, readTask, type Snapshot } from '../wire/read-task.ts'
import { MAX_KEYS, MAX_OPEN } from './answer-task.ts'
import { taskOptions } from './ask-server.ts'
import { liveTasks } from './live-tasks.ts'
import type { TaskHandle } from './task-handle.ts'

/** Tasks that begin together are told of together. */
const BATCH_MS = 50
/** A stream that stood so long may be opened again: something on the way ends streams after a while. */
const STOOD_MS = 10_000

interface Ear {
  readonly heard: Map<string, (told: Snapshot) => void>
  timer?: ReturnType<typeof setTimeout> | undefined
  /** All that are open or asked for; one at most tells of tasks, except while another takes over. */
  readonly streams: Set<Stream>
}
interface Stream {
  readonly abort: AbortController
  /** The server agreed to tell. */
  stood: boolean
}
const ears = new WeakMap<Connection, Ear>()

/** Hears what a server tells of a task unasked, for as long as somebody follows it. */
export function hearTask(task: TaskHandle, take: (told: Snapshot) => void): void {
  const { connection, id } = task
  const ear = earOf(connection)
  ear.heard.set(id!, take)
  task.onleave.add(() => {
    if (ear.heard.get(id!) === take) ear.heard.delete(id!)
    if (ear.heard.size > 0) return
    clearTimeout(ear.timer)
    for (const { abort } of ear.streams) abort.abort()
  })
  if (connection.era.stateless) listenSoon(connection, ear)
}

function earOf(connection: Connection): Ear {
  const known = ears.get(connection)
  if (known) return known
  const ear: Ear = { heard: new Map(), streams: new Set() }
  ears.set(connection, ear)
  const { notices } = connection
  const tell = (params: JsonObject): void => {
    const told = readTask(params)
    if (told) ear.heard.get(told.taskId)?.(told)
  }
  notices.set('tasks', tell)
  notices.set('tasks/status', tell)
  connection.answering = answerForTask
  return ear
}

function listenSoon(connection: Connection, ear: Ear): void {
  clearTimeout(ear.timer)
  ear.timer = setTimeout(() => listen(connection, ear).catch(report(connection)), BATCH_MS)
}

/** One stream for all tasks of now. A server that does not agree is not asked again before the next task. */
async function listen(connection: Connection, ear: Ear): Promise<void> {
  const { hearAcknowledgements } = await onDemand()
  if (ear.heard.size === 0) return
  const live = liveTasks(connection)
  const before = [...ear.streams]
  const own: Stream = { abort: new AbortController(), stood: false }
  const taskIds = [...ear.heard.keys()]
  const began = performance.now()
  ear.streams.add(own)
  hearAcknowledgements(connection)
  const replace = (): void => {
    for (const { abort } of before) abort.abort()
  }
  const onacknowledged = (notifications: unknown): void => {
    const told = isObject(notifications) ? notifications['taskIds'] : undefined
    const agreed = new Set<unknown>(Array.isArray(told) ? told : [])
    for (const task of live.values()) {
      const news = task.pushed !== agreed.has(task.id)
      task.pushed = agreed.has(task.id)
      // What changed before the stream stood, nobody told us.
      if (task.pushed && (news || !own.stood)) task.lookIn(0)
      else if (news) task.lookIn()
    }
    own.stood = true
    replace()
  }
  await requestOnce(
    connection,
    'subscriptions/listen',
    { notifications: { taskIds } },
    { ...taskOptions(connection), signal: own.abort.signal, timeout: Infinity, onacknowledged, onwait: replace },
  ).catch(() => {})
  ear.streams.delete(own)
  // A refusal changes nothing for those that another stream tells of.
  if (!own.stood || [...ear.streams].some(({ stood }) => stood)) return
  let told = false
  for (const task of live.values()) {
    if (!task.pushed) continue
    told = true
    task.pushed = false
    task.lookIn()
  }
  if (told && ear.streams.size === 0 && performance.now() - began > STOOD_MS && !connection.closed)
    listenSoon(connection, ear)
}

/** In the session era: answers a request of the server, which may belong to a task. */
async function answerForTask(
  connection: Connection,
  question: JsonRpcRequest,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { answerInput, NotOffered } = await onDemand()
  const { _meta } = question.params ?? {}
  const related = isObject(_meta) ? _meta[RELATED_TASK] : undefined
  const task = isObject(related) ? liveTasks(connection).get(related['taskId'] as string) : undefined
  const abort = connection.inquiries.get(question.id)
  if (!task || !abort) return answerInput(connection, question, signal)
  // A server may ask what it has no use for any more.
  if (task.ended || task.cancelRequested) abort.abort()
  signal.throwIfAborted()
  if (task.questions.size >= MAX_OPEN) throw new NotOffered(`${question.method} beside ${MAX_OPEN} others`, -32603)
  if (task.asks++ === MAX_KEYS) {
    void task.end(`asks over ${MAX_KEYS} questions`, 'limit', { lost: true })
    throw new NotOffered(`${question.method} after ${MAX_KEYS} others`, -32603)
  }
  task.questions.set(question.id, { abort, request: question })
  task.update()
  try {
    const answer = await answerInput(connection, question, signal, { id: task.id!, name: task.name })
    return { ...answer, _meta: { ...(answer['_meta'] as JsonObject | undefined), [RELATED_TASK]: related } }
  } finally {
    task.questions.delete(question.id)
  }
}
