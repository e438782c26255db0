import { judgeSchema } from './judge-schema.ts'
import type { SchemaVerdict } from './match-schema.ts'

export interface SchemaChecks {
  /** Whether a value, as JSON text, fits a stranger's schema. Always answers, and soon. */
  check(schema: unknown, value: string): Promise<SchemaVerdict>
  close(): void
}

const LIMIT_MS = 250
const START_MS = 10_000

/** Checks in a worker that is ended when one check takes too long; the next check gets a new one. */
export function createSchemaChecks(startWorker: () => Worker, limitMs = LIMIT_MS): SchemaChecks {
  let worker: Promise<Worker> | undefined
  // One at a time: a slow schema must not take the time of the next.
  let turn: Promise<unknown> = Promise.resolve()

  async function run(schema: string, value: string): Promise<SchemaVerdict> {
    let started: Worker
    try {
      started = await (worker ??= begin(startWorker()))
    } catch (error) {
      worker = undefined
      return { outcome: 'unusable', problem: `could not be checked: ${(error as Error).message}` }
    }
    const verdict = await answerOf(started, { schema, value }, limitMs)
    if (verdict) return verdict
    started.terminate()
    worker = undefined
    return { outcome: 'unusable', problem: `took over ${limitMs} ms to check`, tooSlow: true }
  }

  return {
    check(schema, value) {
      const problem = judgeSchema(schema)
      if (problem !== undefined) return Promise.resolve({ outcome: 'unusable', problem })
      const mine = turn.then(() => run(JSON.stringify(schema), value))
      turn = mine
      return mine
    },
    close() {
      worker?.then((started) => started.terminate()).catch(() => {})
      worker = undefined
    },
  }
}

/** Resolves when the worker is loaded, so that loading takes nothing of the time for a check. */
function begin(worker: Worker): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const fail = (): void => {
      worker.terminate()
      reject(new Error('the part of the app that checks schemas did not start. Reload the page'))
    }
    const timer = setTimeout(fail, START_MS)
    worker.onerror = fail
    worker.onmessage = () => {
      clearTimeout(timer)
      resolve(worker)
    }
  })
}

/** What the worker says; undefined where it broke or took too long. */
function answerOf(worker: Worker, question: unknown, limitMs: number): Promise<SchemaVerdict | undefined> {
  return new Promise((resolve) => {
    let began = 0
    let isExtended = false
    const judge = (): void => {
      // A timer that is late tells of a machine that slept: the worker did too, and gets its time.
      if (isExtended || performance.now() - began < limitMs * 1.5) return resolve(undefined)
      isExtended = true
      timer = setTimeout(judge, limitMs)
    }
    let timer = setTimeout(() => resolve(undefined), START_MS)
    const settle = (verdict?: SchemaVerdict): void => {
      clearTimeout(timer)
      resolve(verdict)
    }
    worker.onmessage = ({ data }: MessageEvent<'begun' | SchemaVerdict>) => {
      if (data !== 'begun') return settle(data)
      clearTimeout(timer)
      began = performance.now()
      timer = setTimeout(judge, limitMs)
    }
    worker.onerror = () => settle()
    worker.postMessage(question)
  })
}
