import { onDemand, report } from '../client/connection.ts'
import { failure, quote } from '../failure.ts'
import { isObject, type JsonObject } from '../jsonrpc.ts'
import { backoffMs, pause, unlessAborted } from '../transport/retry-law.ts'
import { askServer } from './ask-server.ts'
import { digestOf } from './digest.ts'
import { judgeFailure } from './judge-failure.ts'
import type { Asked, TaskHandle } from './task-handle.ts'

/** More than any user would bear. */
export const MAX_OPEN = 8
export const MAX_KEYS = 32
const BACKOFF = { baseMs: 1000, capMs: 30_000 }

/** Without sessions: answers what a task asks, each question once, however often it is shown. */
export function answerTask(task: TaskHandle, requests: unknown): void {
  const shown = Object.entries(isObject(requests) ? requests : {})
  for (const [key, { abort }] of task.questions) if (!shown.some(([name]) => name === key)) abort.abort()
  task.shown = shown
  task.digesting = task.digesting.then(() => answerNew(task, shown)).catch(report(task.connection))
}

async function answerNew(task: TaskHandle, shown: [string, unknown][]): Promise<void> {
  const digests = await Promise.all(shown.map(([, question]) => digestOf(question).catch(() => undefined)))
  // Meanwhile the server may have shown other requests, or none.
  if (task.shown !== shown || task.ended || task.cancelRequested || task.leaving.signal.aborted) return
  const { asked } = task
  const fresh: [string, unknown][] = []
  let open = 0
  for (const [index, [key, question]] of shown.entries()) {
    const digest = digests[index]
    if (digest === undefined) return void task.end('asks what is too large or nested too deep', 'limit', { lost: true })
    const known = asked.get(key)
    // An answer to the first would be taken for one to the second.
    if (known && known.digest !== digest)
      return void task.end('asks two questions under one name', 'protocol', { lost: true })
    if (known?.state !== 'answered') open++
    if (known && known.state !== 'released') continue
    asked.set(key, { failures: 0, ...known, digest, state: 'open' })
    fresh.push([key, question])
  }
  if (open > MAX_OPEN || asked.size > MAX_KEYS)
    return void task.end(`asks over ${open > MAX_OPEN ? MAX_OPEN : MAX_KEYS} questions`, 'limit', { lost: true })
  if (fresh.length > 0) task.asking = task.asking.then(() => answerAll(task, fresh)).catch(report(task.connection))
}

async function answerAll(task: TaskHandle, fresh: [string, unknown][]): Promise<void> {
  const answers: [string, JsonObject][] = []
  for (const [key, question] of fresh) {
    if (task.leaving.signal.aborted) return
    const answer = await answerOne(task, key, question, task.asked.get(key)!)
    if (answer) answers.push([key, answer])
  }
  if (answers.length > 0) await tell(task, answers)
}

/** One question to the handlers; undefined where nobody answered. */
async function answerOne(
  task: TaskHandle,
  key: string,
  question: unknown,
  asked: Asked,
): Promise<JsonObject | undefined> {
  const { connection, questions, name } = task
  const { answerInput, NotOffered } = await onDemand()
  const abort = new AbortController()
  questions.set(key, { abort })
  if (!asked.reported) task.update()
  try {
    const answer = answerInput(connection, question, abort.signal, { id: task.id!, name, key })
    return await unlessAborted(answer, abort.signal)
  } catch (error) {
    // Taken back: who shows it again asks again.
    if (abort.signal.aborted) asked.state = 'released'
    else {
      const offered = !(error instanceof NotOffered)
      // Who has no handler may yet set one, and who failed gets a second chance.
      if (!offered || ++asked.failures < 2) asked.state = 'released'
      if (offered || !asked.reported) {
        const text = `asks for ${quote((error as Error).message)}, which this client does not offer`
        const about = { method: 'tools/call', params: { name } }
        const problem = offered ? error : failure(connection.place, about, text, 'protocol')
        ;(task.onunanswered ?? report(connection))(problem)
      }
      asked.reported = true
    }
    task.lookIn()
    return undefined
  } finally {
    questions.delete(key)
  }
}

/** Gives the answers, for as long as it takes. */
async function tell(task: TaskHandle, answers: [string, JsonObject][]): Promise<void> {
  for (let failures = 0; !task.leaving.signal.aborted; failures++) {
    try {
      await askServer(task, 'tasks/update', { inputResponses: Object.fromEntries(answers) })
      for (const [key] of answers) task.asked.get(key)!.state = 'answered'
      task.update()
      return
    } catch (error) {
      if (task.leaving.signal.aborted) return
      const verdict = judgeFailure(error)
      if (verdict === 'gone') return refused(task, answers, error)
      if (verdict === 'final') return task.leave('cannot be answered', 'protocol', error)
      await pause(backoffMs(failures, BACKOFF), task.leaving.signal).catch(() => {})
    }
  }
}

/** Gone, over, or an answer that does not fit: how it stands tells which, and what is still asked is asked once more. */
function refused(task: TaskHandle, answers: [string, JsonObject][], error: unknown): void {
  let again = true
  for (const [key] of answers) {
    const asked = task.asked.get(key)!
    if (++asked.failures < 2) asked.state = 'released'
    else again = false
  }
  if (!again) (task.onunanswered ?? report(task.connection))(error)
  task.lookIn(0)
}
