import { Failed, type Failure } from '#domain/failure.ts'
import type { Rows } from '#storage/changes.ts'
import type { CommandName, Commands, EngineState } from './commands.ts'
import type { FromEngine, StartWish, ToEngine } from './engine-protocol.ts'
import { STARTING } from './engine-state.ts'
import { createPageHalf, type PageHalf } from './page-half.ts'

type Later<T> = {
  [Name in keyof T]: T[Name] extends (...input: infer Input) => infer Answer
    ? (...input: Input) => Promise<Answer>
    : never
}

export interface Engine extends Later<Commands> {
  readonly state: EngineState
  /** Ends the engine of this tab, and begins another as it is wished for. */
  restart: (wish?: StartWish) => void
  subscribe: (listener: () => void) => () => void
  /** The page has heard that the network is there, or gone. */
  tellNetwork: (isOnline: boolean) => void
}

const PING_MS = 5_000
/**
 * An engine that leaves so many pings unanswered is taken for dead: a schema or a parser may hold it for a moment, not for this
 * long. Pings are counted, not seconds: a page that stood still, behind a question of the browser or asleep, has sent none.
 */
const UNANSWERED = 3
/** One that has said nothing yet may still be loading. */
const UNANSWERED_AT_FIRST = 12
/** One that lived for so long did not crash because of how it starts. */
const STEADY_MS = 60_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
/** After so many crashes in a row the page says so; until then it is only starting. */
const CRASHES_TOLD = 3

const RESTARTED: Failure = {
  code: 'internal',
  message: 'The engine of this tab was started again. Nothing is lost; please try once more.',
}
const CANNOT_SHOW: Failure = {
  code: 'internal',
  message:
    'What is needed to work without saving did not load. See whether what serves this app (npm start) still runs.',
}
const CANNOT_START: Failure = {
  code: 'internal',
  message:
    'The engine of this tab does not start. It is tried again by itself: see whether what serves this app (npm start) still runs.',
}

/**
 * The engine of this page, kept alive: one that crashed or fell silent is started again, the second time in a row after a
 * pause. What it was asked is refused; what it was doing is in storage, and the new one puts it in order.
 */
export function startEngine(
  createWorker: () => Worker,
  hello: Extract<ToEngine, { type: 'start' }>,
  pageHalf: PageHalf = createPageHalf(),
): Engine {
  let state = STARTING
  let nextId = 1
  /** Pings since it was last heard, and how many it may leave so. */
  let unanswered = 0
  let patience = 0
  let startedAt = 0
  let pause: ReturnType<typeof setTimeout> | undefined
  let crashes = 0
  let greeting = hello
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Failed) => void }>()
  const listeners = new Set<() => void>()
  /** None between a crash and the next start. */
  let worker: Worker | undefined
  /** Of an engine without a database: what it says is heard when what it did before is done here too. */
  let taking: Promise<void> | undefined
  start()

  function start(): void {
    const started = createWorker()
    worker = started
    taking = undefined
    startedAt = Date.now()
    unanswered = 0
    patience = UNANSWERED_AT_FIRST
    started.addEventListener('message', ({ data }: MessageEvent<FromEngine>) => {
      if (started !== worker) return
      unanswered = 0
      patience = UNANSWERED
      const hearInTurn = () => (started === worker ? hear(data) : undefined)
      if (taking || data.type === 'changes')
        taking = Promise.resolve(taking)
          .then(hearInTurn)
          .catch(() => setState({ ...state, phase: 'failed', failure: CANNOT_SHOW }))
      else void hear(data)
    })
    started.addEventListener('error', (event) => {
      event.preventDefault()
      if (started === worker) restart()
    })
    started.postMessage(greeting satisfies ToEngine)
    // Once: whoever comes after a crash would delete what was made since.
    greeting = withoutAnew(greeting)
  }

  function end(failure: Failure): void {
    clearTimeout(pause)
    worker?.terminate()
    worker = undefined
    settleAll(failure)
  }

  /** After a crash. What an engine had in its memory alone, the page still has, all but its keys. */
  function startAgain(): void {
    const { storage } = state
    if (storage.state !== 'memory') return start()
    const begin = (rows: Rows | undefined) => {
      // It was begun otherwise meanwhile.
      if (worker) return
      greeting = { ...greeting, memory: { why: storage.failure, begin: rows ?? 'empty' } }
      start()
    }
    pageHalf.rows().then(begin, () => begin(undefined))
  }

  function restart(): void {
    end(RESTARTED)
    crashes = Date.now() - startedAt > STEADY_MS ? 1 : crashes + 1
    const storage = state.storage.state === 'memory' ? state.storage : STARTING.storage
    const fresh: EngineState = { ...STARTING, vault: state.vault, storage }
    setState(crashes < CRASHES_TOLD ? fresh : { ...fresh, phase: 'failed', failure: CANNOT_START })
    // One that cannot be loaded fails at once: without a pause it would be tried a thousand times in a second.
    if (crashes === 1) startAgain()
    else pause = setTimeout(startAgain, Math.min(FIRST_PAUSE_MS * 2 ** (crashes - 2), LONGEST_PAUSE_MS))
  }

  function hear(message: FromEngine): Promise<void> | void {
    switch (message.type) {
      case 'state':
        if (message.state.phase === 'ready') {
          greeting = withoutCode(greeting)
          const isInMemory = message.state.storage.state === 'memory'
          // One that is ready for long may not have heard yet that its database was deleted: opened here, it would be made anew.
          if (isInMemory || state.phase !== 'ready') pageHalf.ready(isInMemory)
        }
        return setState(message.state)
      case 'pong':
        return
      case 'changes':
        return pageHalf.take(message.changes)
      case 'answer':
        waiting.get(message.id)?.resolve(message.value)
        break
      case 'refusal':
        waiting.get(message.id)?.reject(failed(message.failure))
        break
    }
    waiting.delete(message.id)
  }

  function setState(next: EngineState): void {
    state = next
    for (const listener of listeners) listener()
  }

  function settleAll(failure: Failure): void {
    for (const { reject } of waiting.values()) reject(failed(failure))
    waiting.clear()
  }

  setInterval(() => {
    if (!worker) return
    if (unanswered === patience) return restart()
    unanswered += 1
    worker.postMessage({ type: 'ping' } satisfies ToEngine)
  }, PING_MS)

  const ask = (name: CommandName, input: unknown) =>
    new Promise<unknown>((resolve, reject) => {
      if (!worker) return reject(failed(CANNOT_START))
      const id = nextId++
      waiting.set(id, { resolve, reject })
      worker.postMessage({ type: 'command', id, name, input } satisfies ToEngine)
    })

  const own = {
    get state() {
      return state
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    restart(wish: StartWish = {}) {
      end(RESTARTED)
      crashes = 0
      if (!wish.memory) pageHalf.forget()
      const { memory: _, ...plain } = greeting
      greeting = { ...plain, ...wish }
      setState({ ...STARTING, vault: state.vault })
      start()
    },
    tellNetwork: (isOnline: boolean) => worker?.postMessage({ type: 'network', isOnline } satisfies ToEngine),
  }
  return new Proxy(own as Engine, {
    get: (target, name) =>
      name in target ? (Reflect.get(target, name) as unknown) : (input: unknown) => ask(name as CommandName, input),
  })
}

/** It is good once, and the engine has used it by now. */
const withoutCode = ({ companionCode: _, ...rest }: Extract<ToEngine, { type: 'start' }>) => rest
const withoutAnew = ({ anew: _, ...rest }: Extract<ToEngine, { type: 'start' }>) => rest

const failed = ({ code, message, retryAt }: Failure): Failed =>
  new Failed(code, message, retryAt === undefined ? {} : { retryAt })
