import { type Connection, fail } from '../client/connection.ts'
import { withContent } from '../client/with-content.ts'
import { closedError, type FailureDetails, guard, isMCPError, must, type Reason } from '../errors.ts'
import { isObject, type JsonObject, type JsonRpcRequest } from '../jsonrpc.ts'
import type { CallToolResult, Progress, SavedSession, SavedTask, Task, TaskStatus } from '../model.ts'
import { unlessAborted } from '../transport/retry-law.ts'
import type { Snapshot } from '../wire/read-task.ts'
import { floorMs, paceMs } from './pace.ts'

/** How long a server may take to confirm that it stopped. */
const PATIENCE_MS = 60_000

/** After the time that a server keeps a task, it may take so long to say that it is gone. */
const GRACE_MS = 60_000
export const UNREACHED = 'could not be reached before its time was over'

/** A question of the task that somebody is thinking about. */
export interface OpenQuestion {
  abort: AbortController
  /** In the session era: the request to answer. */
  request?: JsonRpcRequest
}

/** A question of a stateless task, by its key. */
export interface Asked {
  digest: string
  state: 'open' | 'answered' | 'released'
  failures: number
  reported?: boolean
}

/** The server's words are not a moment before these. */
const isOlder = (told: string | undefined, known: string | undefined): boolean =>
  Date.parse(told ?? '') < Date.parse(known ?? '')

/** One task as its user sees it, and what those who follow it know of it. */
export class TaskHandle implements Task {
  declare readonly connection: Connection
  readonly id: string | undefined
  readonly name: string
  status: TaskStatus = 'working'
  statusMessage: string | undefined
  progress: Progress | undefined
  cancelRequested = false
  createdAt: string | undefined
  ttlMs: number | undefined
  immediateResponse: string | undefined

  /** Aborted when nobody looks any more: it is over, or was left. */
  readonly leaving = new AbortController()
  /** It has come to an end: whatever is told of it afterwards is not true. */
  ended = false
  /** Nobody looks any more, although it may run, or its result wait. */
  left = false
  /** In the session era: somebody waits for the result. */
  waiting = false
  /** A look showed the end: the wait should be over soon. */
  onoverdue: (() => void) | undefined
  /** Its changes are told by the server. */
  pushed = false
  pollIntervalMs: number | undefined
  minimumMs = 0
  quiet = 0
  looks = 0
  lookedAt = -Infinity
  seenAt = Date.now()
  progressToken: string | undefined
  declare session: SavedSession | undefined
  readonly questions = new Map<unknown, OpenQuestion>()
  /** In the session era: how many there were. */
  asks = 0
  readonly asked = new Map<string, Asked>()
  /** The input requests that the server showed last. */
  shown: [string, unknown][] | undefined
  /** Input requests are compared with known ones in the order in which they came. */
  digesting: Promise<void> = Promise.resolve()
  /** The answers are given one after the other. */
  asking: Promise<void> = Promise.resolve()
  /** Where a call waits for it, a question without an answer ends the call. */
  onunanswered: ((error: unknown) => void) | undefined
  /** Sends the request to stop. */
  onstop: (() => Promise<void>) | undefined
  /** Makes the next look now, or anew after a while. */
  nextLook = 0
  wake: (() => void) | undefined
  /** Called after each look, whatever it brought. */
  onlook: (() => void) | undefined
  /** Called when nobody looks any more. */
  readonly onleave = new Set<() => void>()

  #updatedAt: string | undefined
  #patience: ReturnType<typeof setTimeout> | undefined
  #settled = false
  readonly #listeners = new Set<(task: Task) => void>()
  readonly #outcome: Promise<CallToolResult>
  #resolve!: (result: CallToolResult) => void
  #reject!: (error: unknown) => void

  constructor(connection: Connection, name: string, id: string | undefined) {
    this.name = name
    this.id = id
    this.#outcome = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    // Who wants the result asks for it; nobody has to.
    this.#outcome.catch(() => {})
    const { era, transport, server } = connection
    const session = era.stateless
      ? undefined
      : { sessionId: transport.sessionId, initializeResult: server, stateless: false }
    // Both hold secrets: whoever prints a task must not print them.
    Object.defineProperties(this, { connection: { value: connection }, session: { value: session, writable: true } })
  }

  // ─── for its user ───

  result({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<CallToolResult> {
    return unlessAborted(this.#outcome, signal)
  }

  onUpdate(listener: (task: Task) => void): () => void {
    must(typeof listener === 'function', 'The listener must be a function')
    // A function of its own: the same listener may listen twice.
    const own = (task: Task): void => listener(task)
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  async cancel(): Promise<void> {
    if (this.ended || this.leaving.signal.aborted) return
    if (!this.cancelRequested) {
      this.cancelRequested = true
      this.#patience = setTimeout(() => {
        void this.leave('was asked to stop, and has not said that it did', 'timeout')
      }, PATIENCE_MS)
      this.leaveQuestions()
      this.update()
    }
    await this.onstop?.()
  }

  save(): SavedTask | undefined {
    const { id, connection, session, questions } = this
    if (id === undefined) return undefined
    const open = [...questions.values()].flatMap(({ request }) =>
      request ? [{ id: request.id, method: request.method, params: request.params }] : [],
    )
    const answered = [...this.asked].flatMap(([key, { state, digest }]) =>
      state === 'answered' ? [[key, digest]] : [],
    )
    return {
      version: 1,
      place: connection.place,
      protocolVersion: connection.server.protocolVersion,
      taskId: id,
      name: this.name,
      status: this.status,
      createdAt: this.createdAt,
      seenAt: this.seenAt,
      ttlMs: this.ttlMs,
      pollIntervalMs: this.pollIntervalMs,
      answered: Object.fromEntries(answered) as { [key: string]: string },
      cancelRequested: this.cancelRequested,
      progressToken: this.progressToken,
      session,
      questions: open.length > 0 ? open : undefined,
    }
  }

  /** @internal */
  leaveClosed(): void {
    void this.leave('was left running: the client is closed', 'closed')
  }

  /** @internal */
  leaveGone(): void {
    void this.leave('was left running: the connection is gone', 'network')
  }

  detach(): void {
    void this.leave('was left running', 'closed')
  }

  // ─── for those who follow it ───

  update(): void {
    for (const listener of this.#listeners) guard(this.connection.config.onUncaughtError, listener, this as Task)
  }

  /** Takes what the server told; false for what is no news: told too late, or after the end. */
  take(told: Snapshot): boolean {
    const { status, statusMessage, lastUpdatedAt, pollIntervalMs } = told
    const final = status === 'completed' || status === 'failed' || status === 'cancelled'
    if (this.ended || this.leaving.signal.aborted || (!final && isOlder(lastUpdatedAt, this.#updatedAt))) return false
    const news = status !== this.status || statusMessage !== this.statusMessage
    this.quiet = news ? 0 : this.quiet + 1
    this.status = status
    this.statusMessage = statusMessage
    this.createdAt ??= told.createdAt
    this.#updatedAt = lastUpdatedAt ?? this.#updatedAt
    this.ttlMs = told.ttlMs ?? this.ttlMs
    this.pollIntervalMs = pollIntervalMs ?? this.pollIntervalMs
    this.immediateResponse ??= told.immediateResponse
    if (final) this.ended = true
    if (final) this.leaveQuestions()
    if (news) this.update()
    return true
  }

  /** When the next look is due. */
  lookIn(ms = this.pace()): void {
    this.nextLook = Math.max(performance.now() + ms, this.lookedAt + floorMs(this.looks))
    this.wake?.()
  }

  pace(): number {
    const leftMs = this.ttlMs === undefined ? Infinity : this.seenAt + this.ttlMs - Date.now()
    const { pollIntervalMs, minimumMs, looks, quiet, asked, cancelRequested } = this
    // What is waited for here, no news of the server will tell.
    const waited = cancelRequested || [...asked.values()].some(({ state }) => state === 'released')
    return paceMs({ pollIntervalMs, minimumMs, looks, quiet, pushed: this.pushed && !waited, leftMs })
  }

  /** The server has surely forgotten it. */
  isOverdue(): boolean {
    return Date.now() > this.seenAt + (this.ttlMs ?? Infinity) + GRACE_MS
  }

  /** Questions whose answers nobody needs any more, or, where the task was left, nobody here. */
  leaveQuestions(): void {
    const reason = this.left ? closedError() : undefined
    for (const { abort } of this.questions.values()) abort.abort(reason)
  }

  succeed(result: JsonObject): void {
    if (this.#settled) return
    if (!this.ended) {
      this.ended = true
      this.status = 'completed'
      this.update()
    }
    this.#settled = true
    this.#resolve(withContent(result))
    this.#leave()
  }

  /** The server does not know it any more. */
  expire(text = 'was forgotten by the server'): Promise<void> {
    const lost = this.session?.sessionId !== this.connection.transport.sessionId
    if (this.#settled) return Promise.resolve()
    this.ended = true
    this.status = 'expired'
    this.update()
    return this.end(this.session && lost ? 'was lost with its session' : text, 'expired', { lost: true })
  }

  /** It will have no result. */
  async end(text: string, reason: Reason, details?: FailureDetails): Promise<void> {
    if (this.#settled) return
    this.#settled = true
    this.ended = true
    this.#leave()
    this.#reject(await this.#failure(text, reason, details))
  }

  /** Nobody looks any more, and it may go on. */
  async leave(text: string, reason: Reason, cause?: unknown): Promise<void> {
    if (this.#settled) return
    this.#settled = true
    this.left = true
    const task = this.save()
    this.#leave()
    const error = await this.#leavingFailure(text, reason, cause)
    // Not shown where errors are printed: with it, whoever reads the log could end the task.
    this.#reject(Object.defineProperty(error as Error, 'task', { value: task, configurable: true }))
  }

  /** The failure of a look could be repeated; the call that became the task could not. */
  async #leavingFailure(text: string, reason: Reason, cause: unknown): Promise<unknown> {
    if (!isMCPError(cause)) return this.#failure(text, reason, { lost: true, cause })
    const { code, serverMessage, data, statusCode, url, retryAfterMs, method } = cause
    const details = { lost: true, cause, code, serverMessage, data, statusCode, url, retryAfterMs }
    const error = await this.#failure(`${text}: ${cause.message}`, cause.reason, details)
    // With the code of a look, the call itself would seem to have met no such tool.
    return Object.assign(error as Error, { method })
  }

  #failure(text: string, reason: Reason, details?: FailureDetails): Promise<unknown> {
    const about = { method: 'tools/call', params: { name: this.name } }
    return fail(this.connection, about, text, reason, details).catch((error: unknown) => error)
  }

  #leave(): void {
    clearTimeout(this.#patience)
    this.leaving.abort()
    this.leaveQuestions()
    this.wake?.()
    for (const leave of this.onleave) leave()
    this.onleave.clear()
  }
}

/** A task's own failure, as a server tells it. */
export function failTask(task: TaskHandle, error: unknown): void {
  const { code, message, data } = isObject(error) ? error : {}
  const text = typeof message === 'string' ? message : (task.statusMessage ?? 'without a word')
  void task.end(`failed: ${text}`, 'rpc', {
    code: typeof code === 'number' ? code : undefined,
    serverMessage: typeof message === 'string' ? message : task.statusMessage,
    data,
  })
}
