import { type Connection, onDemand, report } from '../client/connection.ts'
import { requestOnce } from '../client/request.ts'
import { isObject, type JsonObject, type JsonRpcRequest } from '../jsonrpc.ts'
import { RELATED_TASK, readTask, type Snapshot } from '../wire/read-task.ts'
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
  stream?: AbortController | undefined
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
    ear.stream?.abort()
  })
  if (connection.era.stateless) listenSoon(connection, ear)
}

function earOf(connection: Connection): Ear {
  const known = ears.get(connection)
  if (known) return known
  const ear: Ear = { heard: new Map() }
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
  const { stream: old } = ear
  const abort = new AbortController()
  const taskIds = [...ear.heard.keys()]
  const began = performance.now()
  let agreed: TaskHandle[] = []
  ear.stream = abort
  hearAcknowledgements(connection)
  const onacknowledged = (notifications: unknown): void => {
    const told = isObject(notifications) ? notifications['taskIds'] : undefined
    agreed = (Array.isArray(told) ? told : []).flatMap((id) => liveTasks(connection).get(id as string) ?? [])
    for (const task of agreed) {
      task.pushed = true
      // What changed before the stream stood, nobody told us.
      task.lookIn(0)
    }
    old?.abort()
  }
  await requestOnce(
    connection,
    'subscriptions/listen',
    { notifications: { taskIds } },
    { ...taskOptions(connection), signal: abort.signal, timeout: Infinity, onacknowledged, onwait: () => old?.abort() },
  ).catch(() => {})
  // Replaced by one that tells of these too.
  if (ear.stream !== abort) return
  ear.stream = undefined
  for (const task of agreed) {
    task.pushed = false
    task.lookIn()
  }
  if (agreed.length > 0 && ear.heard.size > 0 && performance.now() - began > STOOD_MS && !connection.closed)
    listenSoon(connection, ear)
}

/** In the session era: answers a request of the server, which may belong to a task. */
async function answerForTask(
  connection: Connection,
  question: JsonRpcRequest,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { answerInput } = await onDemand()
  const { _meta } = question.params ?? {}
  const related = isObject(_meta) ? _meta[RELATED_TASK] : undefined
  const task = isObject(related) ? liveTasks(connection).get(related['taskId'] as string) : undefined
  const abort = connection.inquiries.get(question.id)
  if (!task || !abort) return answerInput(connection, question, signal)
  // A server may ask what it has no use for any more.
  if (task.ended || task.cancelRequested) abort.abort()
  signal.throwIfAborted()
  task.questions.set(question.id, { abort, request: question })
  task.update()
  try {
    const answer = await answerInput(connection, question, signal, { id: task.id!, name: task.name })
    return { ...answer, _meta: { ...(answer['_meta'] as JsonObject | undefined), [RELATED_TASK]: related } }
  } finally {
    task.questions.delete(question.id)
  }
}
