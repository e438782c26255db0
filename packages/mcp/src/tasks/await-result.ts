import { isMCPError } from '../errors.ts'
import { backoffMs, pause } from '../transport/retry-law.ts'
import { askServer } from './ask-server.ts'
import { judgeFailure } from './judge-failure.ts'
import { failTask, type TaskHandle, UNREACHED } from './task-handle.ts'

const BACKOFF = { baseMs: 1000, capMs: 30_000 }
/** Where a look has shown the end, the result must be there: a wait that brings nothing is on a dead connection. */
const OVERDUE_MS = 5000
const LONGEST_MS = 60_000
/** So many waits without a word after the end, and nobody waits any more. */
const MAX_SILENT = 8

/**
 * In the session era: waits for the result, and so hears what the task asks. A question is told on this one stream, once:
 * it is not left before the end.
 */
export async function awaitResult(task: TaskHandle): Promise<void> {
  if (task.waiting) return
  task.waiting = true
  const { leaving } = task
  let silent = 0
  for (let failures = 0; !leaving.signal.aborted; failures++) {
    if (failures > 0 && task.isOverdue()) return task.expire(UNREACHED)
    if (silent === MAX_SILENT) return task.leave('is over, and its result does not come', 'timeout')
    const attempt = new AbortController()
    const signal = AbortSignal.any([leaving.signal, attempt.signal])
    let timer: ReturnType<typeof setTimeout> | undefined
    task.onoverdue = () => {
      timer ??= setTimeout(() => attempt.abort(), Math.min(OVERDUE_MS * 2 ** silent, LONGEST_MS))
    }
    // After the end no look will say so again.
    if (task.ended) task.onoverdue()
    try {
      const bounds = { timeout: Infinity, maxTotalTimeout: Infinity, signal }
      return task.succeed(await askServer(task, 'tasks/result', {}, bounds))
    } catch (error) {
      if (leaving.signal.aborted) return
      if (attempt.signal.aborted) {
        silent++
        continue
      }
      const { reason, code, message, data } = isMCPError(error) ? error : {}
      if (reason === 'rpc') {
        task.waiting = false
        // Before the end there may be no result: the next look tells how it stands.
        if (!task.ended) return
        if (!(await isKnown(task))) return task.expire()
        // The words are about the task, not about asking for it.
        return failTask(task, { code, message: message?.replace(/^.*? failed: /, ''), data })
      }
      if (judgeFailure(error) === 'gone') return task.expire()
      if (judgeFailure(error) === 'final') return task.leave('cannot be asked for its result', 'protocol', error)
      await pause(backoffMs(failures, BACKOFF), leaving.signal).catch(() => {})
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Whether an error is the task's own, or that of asking for a task which is gone. */
async function isKnown(task: TaskHandle): Promise<boolean> {
  return askServer(task, 'tasks/get').then(
    () => true,
    (error: unknown) => judgeFailure(error) !== 'gone',
  )
}
