import { report } from '../client/connection.ts'
import { isMCPError } from '../errors.ts'
import { isObject } from '../jsonrpc.ts'
import type { Progress } from '../model.ts'
import { backoffMs } from '../transport/retry-law.ts'
import { readTask, type Snapshot } from '../wire/read-task.ts'
import { answerTask } from './answer-task.ts'
import { askServer } from './ask-server.ts'
import { awaitResult } from './await-result.ts'
import { hearTask } from './hear-tasks.ts'
import { judgeFailure } from './judge-failure.ts'
import { isGone, liveTasks, noteOver, noteRunning } from './live-tasks.ts'
import { failTask, type TaskHandle, UNREACHED } from './task-handle.ts'

const BACKOFF = { baseMs: 1000, capMs: 30_000 }

/** Follows a task to its end: looks at the server's pace, hears what it tells, answers what it asks. */
export function follow(task: TaskHandle): void {
  const { connection, id, onleave, progressToken } = task
  const live = liveTasks(connection)
  // It may have been left by the first who heard of it.
  if (task.leaving.signal.aborted) return
  live.set(id!, task)
  noteRunning(connection, id!)
  onleave.add(() => {
    if (live.get(id!) === task) live.delete(id!)
    // One that was left runs on, and its session with it.
    if (!task.left) noteOver(connection, id!)
  })
  if (progressToken !== undefined) {
    connection.progress.set(progressToken, (params) => {
      const { progress, total, message } = params as unknown as Progress
      if (typeof progress !== 'number' || task.ended) return
      task.progress = { progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) }
      task.update()
    })
    onleave.add(() => connection.progress.delete(progressToken))
  }
  task.onstop = () => stop(task)
  hearTask(task, (told) => {
    task.lookIn()
    if (isWhole(task, told)) take(task, told)
    else task.lookIn(0)
  })
  if (connection.closed) return task.leaveClosed()
  if (isGone(connection)) return task.leaveGone()
  lookOn(task).catch(report(connection))
  if (!task.cancelRequested) return
  // Cancelled by the first who heard of it, or before it was saved.
  task.cancelRequested = false
  task.cancel().catch(report(connection))
}

/** Looks until it is over. */
async function lookOn(task: TaskHandle): Promise<void> {
  for (let failures = 0; !task.ended && !task.leaving.signal.aborted; ) {
    await due(task)
    if (task.ended || task.leaving.signal.aborted) return
    task.looks++
    task.lookedAt = performance.now()
    try {
      await look(task)
      failures = 0
      task.lookIn()
    } catch (error) {
      if (task.ended || task.leaving.signal.aborted) return
      await judge(task, error, failures++)
    }
    task.onlook?.()
  }
}

/** Waits until the next look is due, which may change meanwhile. */
async function due(task: TaskHandle): Promise<void> {
  for (let ms = 0; (ms = task.nextLook - performance.now()) > 0 && !task.leaving.signal.aborted; ) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      task.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** Asks how the task stands. */
async function look(task: TaskHandle): Promise<void> {
  const told = readTask(await askServer(task, 'tasks/get'))
  if (told?.taskId === task.id) return take(task, told!)
  await task.end('was told of as what is no task, or another one', 'protocol', { lost: true })
}

/** Acts on what the server told. */
function take(task: TaskHandle, told: Snapshot): void {
  const { connection } = task
  const { status, result, error, inputRequests } = told
  if (!task.take(told)) return
  if (status === 'cancelled') void task.end(`was cancelled${reasonOf(told)}`, 'cancelled')
  else if (!connection.era.stateless) {
    if (status !== 'working') awaitResult(task).catch(report(connection))
    if (task.ended) task.onoverdue?.()
  } else if (status === 'input_required') answerTask(task, inputRequests)
  else if (status === 'completed') {
    if (isObject(result)) task.succeed(result)
    else void task.end('was completed without a result', 'protocol', { lost: true })
  } else if (status === 'failed') failTask(task, error)
  else answerTask(task, undefined)
}

const reasonOf = ({ statusMessage }: Snapshot): string => (statusMessage ? `: ${statusMessage}` : '')

/** Whether news hold what they are about: some servers tell only that there are some. */
function isWhole({ connection }: TaskHandle, { status, result, error, inputRequests }: Snapshot): boolean {
  if (!connection.era.stateless || status === 'working' || status === 'cancelled') return true
  return isObject(status === 'completed' ? result : status === 'failed' ? error : inputRequests)
}

/** What follows from a look that failed. */
async function judge(task: TaskHandle, error: unknown, failures: number): Promise<void> {
  const verdict = judgeFailure(error)
  if (verdict === 'gone') return task.expire()
  if (verdict === 'final') return task.leave('cannot be looked at', 'protocol', error)
  if (task.isOverdue()) return task.expire(UNREACHED)
  const { retryAfterMs = 0 } = isMCPError(error) ? error : {}
  task.lookIn(Math.max(task.pace(), backoffMs(failures, BACKOFF), retryAfterMs))
}

/** Asks the server to stop. */
async function stop(task: TaskHandle): Promise<void> {
  try {
    const told = readTask(await askServer(task, 'tasks/cancel'))
    // Without sessions the answer only says that the wish was heard.
    if (!task.connection.era.stateless && told?.taskId === task.id) take(task, told!)
    else task.lookIn()
  } catch (error) {
    if (task.ended || task.leaving.signal.aborted) return
    if (judgeFailure(error) !== 'gone') throw error
    // Over, or gone: how it stands tells which.
    task.lookIn(0)
  }
}
