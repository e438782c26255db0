import { type CallToolResult, isMCPError, type SavedTask, type Task as Handle } from '@switchboard/mcp'
import { Failed, type Failure } from '#domain/failure.ts'
import { isTaskOver } from '#domain/is-task-over.ts'
import type { Task } from '#domain/task.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import type { ToolOutcome } from '#domain/tool-outcome.ts'
import { createLatestWrite } from '#lib/latest-write.ts'
import type { Connected, Connections } from '../connections.ts'
import type { SecretSource } from '../needs.ts'
import { judgeEnd } from './judge-end.ts'
import type { TaskNeeds } from './needs.ts'
import { taskChange } from './read-handle.ts'
import { forgetSavedTask, openSavedTask, sealTask } from './saved-task.ts'

export interface WatcherNeeds extends TaskNeeds {
  connections: Connections
  secrets: SecretSource
  now: () => number
  /** Reads a result as that of any call. */
  outcomeOf: (result: CallToolResult, task: Task, connected: Connected) => Promise<ToolOutcome>
  /** Questions of this task go to its call until what is returned is called; `keep` is awaited before they are shown. */
  hearQuestions: (connected: Connected, task: Task, taskId: string, keep: () => Promise<void>) => () => void
}

export type CallOfTask = Pick<ToolCall, 'id' | 'serverId' | 'toolName' | 'fingerprint'> &
  Partial<Pick<ToolCall, 'conversationId' | 'title'>>

export interface TaskWatcher {
  /**
   * Takes over a task that a call has just become. Resolves, once it is written down, to how it is followed on this connection,
   * which rejects where that has failed; the task is looked at all the same.
   */
  adopt(handle: Handle, call: CallOfTask, connected: Connected, pollMs: number): Promise<{ followed: Promise<void> }>
  /** Looks at all tasks that nobody looks at, from now on, and at those that others leave. */
  start(): void
  /** Something has changed that may have kept us from looking: a vault was opened, a server turned on, the network is back. */
  wake(): void
  /** What was heard of the tasks of this server may be long ago, and its streams dead: they are looked at anew, now. */
  lookAnew(serverId: string): void
  close(): void
}

interface Keeping {
  keep(handle: Handle): Promise<void>
  /** Resolves when everything is kept. */
  done: () => Promise<void>
}

/** A task that is followed here. */
interface Followed {
  serverId: string
  keep(): void
  lookAnew(): void
}

const lockOf = (id: string) => `task:${id}`
/** What is told faster is not written down. */
const WRITE_MS = 250
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** After its time a server may take so long to say that a task is gone. */
const GRACE_MS = 120_000
/** So long a server that was removed may come back; after that its tasks are taken away with it. */
const REMOVED_MS = 180_000

const NOTHING_KEPT =
  'What it takes to find this task again could not be kept, so nobody knows what became of it. Look before you run it again.'
const MOVED =
  'The address of its server was changed while it ran, so nobody can tell what became of it. Look before you run it again.'

/** Follows the tasks of all servers to their ends: each in one tab, and in another when that one is closed. */
export function createTaskWatcher(needs: WatcherNeeds): TaskWatcher {
  const { connections, secrets, locks, now } = needs
  const closing = new AbortController()
  const wakers = new Set<() => void>()
  const following = new Set<Followed>()
  /** Those that this engine looks at, or would if the one who does were gone. */
  const queued = new Set<string>()
  let stopWatching: (() => void) | undefined

  /**
   * Follows a handle until the task is over; false where it is to be looked at anew. Rejects where it may go on, and only we
   * cannot look at it now.
   */
  async function follow(
    handle: Handle,
    task: Task,
    connected: Connected,
    keeping: Keeping,
    stopAsking: () => void,
  ): Promise<boolean> {
    const began = now()
    let isAnew = false
    const lookAnew = (): void => {
      isAnew = true
      handle.detach()
    }
    const keep = (): void => void keeping.keep(handle)
    const own: Followed = { serverId: task.serverId, keep, lookAnew }
    const writes = createLatestWrite((change: Partial<Task>) => needs.changeTask(task.id, change), WRITE_MS)
    const stopHearing = handle.onUpdate(() => {
      keep()
      writes.push(taskChange(handle))
    })
    keep()
    following.add(own)
    writes.push({ ...taskChange(handle), trouble: undefined })
    // The wish to cancel may come from any tab, and from before a reload.
    const stopWaiting = needs.watchTask(task.id, (row) => {
      if (!row || isTaskOver(row)) handle.detach()
      else if (row.lookWantedAt !== undefined && row.lookWantedAt > began) lookAnew()
      else if (row.cancelRequestedAt !== undefined && !handle.cancelRequested) void askToStop(handle)
    })
    try {
      const result = await handle.result({ signal: closing.signal })
      await needs.settle(task.id, {
        status: 'completed',
        outcome: await needs.outcomeOf(result, task, connected),
      })
    } catch (error) {
      // Of one that was asked to stop the library waits a minute for the word of the server; we wait for as long as it takes.
      if (isAnew || (isMCPError(error) && error.isTimeout() && handle.cancelRequested)) return false
      const { server } = connected
      const end = judgeEnd(error, connected.failed(error, task.toolName), task.toolName, server)
      if (!end) throw error
      await needs.settle(task.id, end)
    } finally {
      following.delete(own)
      stopHearing()
      // Before its questions are left: those of a task that goes on stay open.
      handle.detach()
      stopAsking()
      stopWaiting()
      await writes.end()
    }
    await forgetSavedTask(secrets, task).catch(() => {})
    return true
  }

  /** Tells the server that the task shall stop, until it has heard it. */
  async function askToStop(handle: Handle): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; failures += 1) {
      try {
        return await handle.cancel()
      } catch {
        await pause(pauseMs(failures))
      }
    }
  }

  /** Keeps what it takes to find a task again, whenever that changes. */
  function keepOf(task: Task): Keeping {
    let kept = ''
    let keeping = Promise.resolve()
    return {
      done: () => keeping,
      keep(handle) {
        const saved = handle.save()
        const text = JSON.stringify(saved)
        if (!saved || text === kept) return keeping
        kept = text
        keeping = keeping
          .then(() => sealTask(secrets, task, saved))
          .catch(() => {
            // A locked vault keeps nothing; when it is opened, this is kept.
            if (kept === text) kept = ''
          })
        return keeping
      },
    }
  }

  /** One try to find a task again and to follow it. True when nothing is left to do. */
  async function resume(id: string): Promise<boolean> {
    const task = await needs.task(id)
    if (!task) return true
    if (isTaskOver(task)) {
      if (task.deliveredAt === undefined && task.conversationId !== '') needs.tell(task.conversationId)
      await forgetSavedTask(secrets, task).catch(() => {})
      return true
    }
    const saved = await openSavedTask(secrets, task)
    if (!saved) return left(task, NOTHING_KEPT)
    return connections.use(task.serverId, (connected) => takeUp(task, saved, connected), {
      signal: closing.signal,
      tool: task.toolName,
      session: saved.session,
    })
  }

  /** Nobody can tell any more what becomes of it. */
  async function left(task: Task, message: string, status: 'left' | 'expired' = 'left'): Promise<true> {
    await needs.settle(task.id, { status, failure: { code: 'outcome-unknown', message } })
    await forgetSavedTask(secrets, task).catch(() => {})
    return true
  }

  async function takeUp(task: Task, saved: SavedTask, connected: Connected): Promise<boolean> {
    if (saved.place !== connected.transport.place) return left(task, MOVED)
    // What it has asked and not heard an answer to is asked again at once.
    const keeping = keepOf(task)
    const stopAsking = needs.hearQuestions(connected, task, saved.taskId, keeping.done)
    try {
      const handle = await connected.client.resumeTask(saved, { pollIntervalMs: task.pollMs, signal: closing.signal })
      return await follow(handle, task, connected, keeping, stopAsking)
    } catch (error) {
      const end = judgeEnd(error, connected.failed(error, task.toolName), task.toolName, connected.server)
      if (!end) throw error
      return left(task, end.failure.message)
    } finally {
      stopAsking()
    }
  }

  const isOverdue = ({ createdAt, ttlMs }: Task): boolean => ttlMs !== undefined && now() > createdAt + ttlMs + GRACE_MS

  /** For as long as it takes: looking changes nothing, so it may be tried again and again. */
  async function resumeUntilOver(id: string): Promise<void> {
    let removedAt: number | undefined
    for (let failures = 0; !closing.signal.aborted; failures += 1) {
      try {
        if (await resume(id)) return
        failures = -1
        continue
      } catch (error) {
        if (closing.signal.aborted) return
        const { failure } = error instanceof Failed ? error : new Failed('internal', 'It could not be looked at.')
        removedAt = failure.code === 'not-found' ? (removedAt ?? now()) : undefined
        if (await giveUp(id, failure, removedAt).catch(() => false)) return
        await needs.changeTask(id, { trouble: failure }).catch(() => {})
      }
      await pause(pauseMs(failures))
    }
  }

  /** Where no look can succeed any more: its server is gone for good, or would not know it any more. */
  async function giveUp(id: string, { message }: Failure, removedAt: number | undefined): Promise<boolean> {
    const task = await needs.task(id)
    if (!task) return true
    if (removedAt !== undefined && now() - removedAt > REMOVED_MS)
      return left(task, `${message} Nobody can tell what became of the task.`)
    // Not before somebody has tried: a server may keep results for longer than it promised.
    if (!isOverdue(task)) return false
    const words = `The time of the task of ${task.toolName} was over before ${task.serverName} could be asked for its result. Look before you run it again.`
    return left(task, words, 'expired')
  }

  /** Half of it by chance: those that failed together are not to try again together. */
  const pauseMs = (failures: number): number =>
    Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures, 10), LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2)

  /** Ends early when something has changed that may have been in the way. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        wakers.delete(end)
        closing.signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      wakers.add(end)
      closing.signal.addEventListener('abort', end)
    })
  }

  /** Waits until nobody else looks at a task, and then does. */
  function queue(id: string): void {
    if (queued.has(id)) return
    queued.add(id)
    locks
      .request(lockOf(id), { signal: closing.signal }, () => resumeUntilOver(id))
      .catch(() => {})
      .finally(() => queued.delete(id))
  }

  return {
    async adopt(handle, call, connected, pollMs) {
      const { server } = connected
      const at = now()
      const task: Task = {
        id: call.id,
        serverId: call.serverId,
        serverName: server.name,
        conversationId: call.conversationId ?? '',
        toolCallId: call.id,
        toolName: call.toolName,
        title: call.title ?? '',
        fingerprint: call.fingerprint,
        pollMs,
        createdAt: at,
        updatedAt: at,
        status: 'working',
        ...taskChange(handle),
      }
      queued.add(task.id)
      const keeping = keepOf(task)
      const stopAsking = needs.hearQuestions(connected, task, handle.id ?? '', keeping.done)
      // Before anything is written: another tab that finds it must find that somebody looks at it.
      let release!: () => void
      const isOver = new Promise<void>((resolve) => (release = resolve))
      await new Promise<void>((resolve) => {
        locks
          .request(lockOf(task.id), {}, () => {
            resolve()
            return isOver
          })
          .catch(() => resolve())
      })
      const give = (): void => {
        queued.delete(task.id)
        release()
      }
      try {
        await keeping.keep(handle)
        if (!(await needs.beginTask(task, replyOf(handle)))) {
          // Cancelled while it was becoming one. Who leaves before the server has heard it takes the word back.
          void handle
            .cancel()
            .catch(() => {})
            .finally(() => handle.detach())
          throw new Failed('stopped', `${call.toolName} was stopped.`)
        }
      } catch (error) {
        stopAsking()
        give()
        throw error
      }
      const following = follow(handle, task, connected, keeping, stopAsking)
      following
        // Whatever the reason, it is looked for again as after a reload.
        .catch(() => false)
        .then((isOver) => (isOver ? undefined : resumeUntilOver(task.id)))
        .catch(() => {})
        .finally(give)
      // The connection is held for so long, and no longer: one that broke would else stay open for as long as the task runs.
      const followed = following.then(() => {})
      followed.catch(() => {})
      return { followed }
    },

    start() {
      stopWatching ??= needs.watchTasks((ids) => {
        for (const id of ids) queue(id)
      })
    },

    wake() {
      for (const wakeUp of wakers) wakeUp()
      for (const one of following) one.keep()
    },

    lookAnew(serverId) {
      for (const one of following) if (one.serverId === serverId) one.lookAnew()
      for (const wakeUp of wakers) wakeUp()
    },

    close() {
      stopWatching?.()
      closing.abort(new Failed('stopped', 'The app is closing.'))
    },
  }
}

const LONGEST_REPLY = 2_000

const replyOf = ({ immediateResponse }: Handle): string | undefined => immediateResponse?.slice(0, LONGEST_REPLY)
