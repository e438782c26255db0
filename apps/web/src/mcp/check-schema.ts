import { answerOfWorker, whenStarted } from './ask-worker.ts'
import { judgeSchema } from './judge-schema.ts'
import type { SchemaVerdict } from './match-schema.ts'

export interface SchemaChecks {
  /** Whether a value, as JSON text, fits a stranger's schema. Always answers, and soon. */
  check(schema: unknown, value: string): Promise<SchemaVerdict>
  close(): void
}

const LIMIT_MS = 250

/** Checks in a worker that is ended when one check takes too long; the next check gets a new one. */
export function createSchemaChecks(startWorker: () => Worker, limitMs = LIMIT_MS): SchemaChecks {
  let worker: Promise<Worker> | undefined
  // One at a time: a slow schema must not take the time of the next.
  let turn: Promise<unknown> = Promise.resolve()

  async function run(schema: string, value: string): Promise<SchemaVerdict> {
    let started: Worker
    try {
      started = await (worker ??= whenStarted(startWorker()))
    } catch {
      worker = undefined
      const problem = 'could not be checked: the part of the app that checks schemas did not start. Reload the page'
      return { outcome: 'unusable', problem }
    }
    const verdict = await answerOfWorker<SchemaVerdict>(started, { schema, value }, limitMs)
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
