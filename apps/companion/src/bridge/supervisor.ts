import { setTimeout as pause } from 'node:timers/promises'
import type { Config, ServerSpec } from '../config.ts'
import { programDigest } from '../program-digest.ts'
import { type Child, startChild } from './child.ts'
import { type ChildLog, createChildLog } from './child-log.ts'
import { createReaper, type Reaper } from './reaper.ts'
import { Refused } from './refused.ts'

export type ServerState = 'stopped' | 'starting' | 'running' | 'failed'

/** A local server as the app sees it: nothing of its command. */
export interface ServerView {
  name: string
  state: ServerState
  pid?: number
  restarts: number
  lastError?: string
  /** Lines of its output that were no messages. */
  junkLines: number
  stderrTail: string
  url: string
  /** Which program it is: another one for another command. */
  digest: string
}

export interface SupervisorLimits {
  maxChildren: number
  idleMs: number
  /** Unused for less, it makes room for no other: its client may only just have met it. */
  restMs: number
  /** How often in a row a program may end before it has answered, until a person restarts it. */
  maxFailures: number
  backoffMs: number
}

const LIMITS: SupervisorLimits = { maxChildren: 16, idleMs: 600_000, restMs: 5000, maxFailures: 5, backoffMs: 250 }
const LOOK_MS = 15_000

/** What is known of a server as long as its entry in the file stays the same. */
interface Known {
  readonly spec: ServerSpec
  readonly key: string
  readonly digest: string
  readonly log: ChildLog
  readonly children: Set<Child>
  readonly praised: WeakSet<Child>
  starting: number
  starts: number
  /** How often in a row it ended before it answered. */
  failures: number
  /** The last that ran ended by itself. */
  crashed: boolean
  /** A person stopped it. */
  isStopped: boolean
  junkLines: number
  lastError?: string
}

/** Runs the programs of the file: as many as are needed and no more than are allowed, each under the name that it has there. */
export interface Supervisor {
  has(name: string): boolean
  /** Which program it is, as in its view; undefined where there is none. */
  digestOf(name: string): string | undefined
  /** Starts a program for one who will use it alone. */
  start(name: string): Promise<Child>
  /** It has answered as a server does: earlier failures are forgotten, and its end will be no failure to start. */
  praise(name: string, child: Child): void
  list(): ServerView[]
  /** Ends all programs of a server, and starts none until it is restarted: clients come back by themselves. */
  stop(name: string): Promise<void>
  /** Ends all programs of a server and forgets its failures; the next use starts one. */
  restart(name: string): Promise<void>
  close(): Promise<void>
}

export function createSupervisor(config: () => Config, given: Partial<SupervisorLimits> = {}): Supervisor {
  const limits = { ...LIMITS, ...given }
  const records = new Map<string, Known>()
  const reaper = createReaper()
  let closed = false

  /** What runs after another command than the file now has is ended. */
  const refresh = (): void => {
    const { servers } = config()
    for (const [name, record] of records) {
      const spec = servers.get(name)
      if (spec && JSON.stringify(spec) === record.key) continue
      records.delete(name)
      void endAll(record)
    }
    for (const [name, spec] of servers) if (!records.has(name)) records.set(name, newRecord(spec))
  }

  const running = (): Child[] => [...records.values()].flatMap(({ children }) => [...children])

  /** For one that is starting already: those that come at the same time must see each other. */
  const makeRoom = async (): Promise<void> => {
    const count = running().length + [...records.values()].reduce((sum, { starting }) => sum + starting, 0)
    if (count <= limits.maxChildren) return
    const [idle] = running()
      .filter((child) => !child.isBusy() && child.usedAt < performance.now() - limits.restMs)
      .toSorted((a, b) => a.usedAt - b.usedAt)
    if (!idle)
      throw new Refused(
        503,
        `${count - 1} local servers are running, and all are in use. Stop one, or close a tab that uses one.`,
      )
    await idle.close()
  }

  const looking = setInterval(
    () => {
      const longAgo = performance.now() - limits.idleMs
      for (const child of running()) if (!child.isBusy() && child.usedAt < longAgo) void child.close()
    },
    Math.min(LOOK_MS, limits.idleMs),
  )
  looking.unref()

  async function start(name: string): Promise<Child> {
    refresh()
    const record = records.get(name)
    if (!record || closed) throw new Refused(404, 'There is no such local server.')
    // 500 and not 503: a client that tries again by itself would not mend it.
    if (record.isStopped) throw new Refused(500, `${name} was stopped. Restart it to use it.`)
    if (record.failures >= limits.maxFailures)
      throw new Refused(
        500,
        `${name} ended ${record.failures} times before it answered: ${record.lastError}. Mend its entry, then restart it.`,
      )
    record.starting++
    try {
      await makeRoom()
      if (record.failures > 0) await pause(limits.backoffMs * 2 ** (record.failures - 1))
      const child = await startIn(record, reaper)
      // While it started, its user may have stopped it, or taken it out of the file.
      if (!closed && !record.isStopped && records.get(name) === record) return child
      await child.close()
      throw new Refused(500, `${name} was stopped while it started.`)
    } catch (error) {
      if (error instanceof Refused) throw error
      record.failures++
      record.lastError = (error as Error).message
      throw new Refused(500, `${name} did not start: ${record.lastError}`)
    } finally {
      record.starting--
    }
  }

  async function halt(name: string, isStopped: boolean): Promise<void> {
    const record = records.get(name)
    if (!record) return
    Object.assign(record, { isStopped, failures: 0, crashed: false })
    await endAll(record)
  }

  return {
    has(name) {
      refresh()
      return records.has(name)
    },
    digestOf(name) {
      refresh()
      return records.get(name)?.digest
    },
    start,
    praise(name, child) {
      const record = records.get(name)
      if (!record?.children.has(child)) return
      record.failures = 0
      record.praised.add(child)
    },
    list() {
      refresh()
      return [...records].map(([name, record]) => view(name, record, limits))
    },
    stop: (name) => halt(name, true),
    restart: (name) => halt(name, false),
    async close() {
      closed = true
      clearInterval(looking)
      await Promise.all([...records.values()].map(endAll))
      reaper.close()
    },
  }
}

const newRecord = (spec: ServerSpec): Known => ({
  spec,
  key: JSON.stringify(spec),
  digest: programDigest(spec),
  log: createChildLog(),
  children: new Set(),
  praised: new WeakSet(),
  crashed: false,
  isStopped: false,
  starting: 0,
  starts: 0,
  failures: 0,
  junkLines: 0,
})

async function startIn(record: Known, reaper: Reaper): Promise<Child> {
  const child = await startChild(record.spec, {
    log: record.log,
    onjunk: () => void record.junkLines++,
    onerror: (words) => void (record.lastError = words),
    onclosing: (ended) => void record.children.delete(ended),
    ongone(ended) {
      if (ended.pid !== undefined) reaper.release(ended.pid)
    },
    onend(ended, isOurs) {
      record.children.delete(ended)
      if (isOurs) return
      record.crashed = true
      if (!record.praised.has(ended)) record.failures++
    },
  })
  if (child.pid !== undefined) reaper.watch(child.pid)
  record.children.add(child)
  record.crashed = false
  record.starts++
  return child
}

const endAll = async (record: Known): Promise<void> => {
  await Promise.all([...record.children].map((child) => child.close()))
}

function view(name: string, record: Known, { maxFailures }: SupervisorLimits): ServerView {
  const { children, starting, starts, failures, crashed, junkLines, lastError, log, digest } = record
  const [child] = children
  return {
    name,
    state: child ? 'running' : starting > 0 ? 'starting' : crashed || failures > 0 ? 'failed' : 'stopped',
    ...(child?.pid !== undefined && { pid: child.pid }),
    restarts: Math.max(0, starts - 1),
    ...(lastError !== undefined && { lastError: failures >= maxFailures ? `${lastError} (given up)` : lastError }),
    junkLines,
    stderrTail: log.text(),
    url: `/mcp/${name}`,
    digest,
  }
}
