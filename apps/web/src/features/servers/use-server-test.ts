import { useCallback, useEffect, useRef, useState } from 'react'
import { type Failure, failureOf } from '#domain/failure.ts'
import type { ServerReport } from '#wiring/commands.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { requestOf, type ServerDraft } from './server-draft.ts'

interface Seen {
  isBusy: boolean
  /** The user pressed the button for it: a look in passing does not set a doctor to work. */
  isAsked: boolean
  report?: ServerReport
  /** The test itself could not be made. */
  failure?: Failure
}

export type KnownServer = { serverId: string } | { draftId: string }

export interface ServerTest extends Seen {
  /** `known`: which server it is, or which it will be. */
  run: (draft: ServerDraft, isAsked: boolean, known: KnownServer) => Promise<ServerReport | undefined>
  /** What was found is of something else now. A test under way is stopped. */
  forget: () => void
}

const NOTHING: Seen = { isBusy: false, isAsked: false }

/** Tries what stands in a form, one test at a time. */
export function useServerTest(): ServerTest {
  const engine = useEngine()
  const current = useRef<string>(undefined)
  const [seen, setSeen] = useState(NOTHING)

  const stop = useCallback(() => {
    const testId = current.current
    current.current = undefined
    if (testId !== undefined) void engine.stopTest({ testId }).catch(() => {})
  }, [engine])
  // Whoever leaves the screen waits for nothing any more.
  useEffect(() => stop, [stop])

  const forget = useCallback(() => {
    stop()
    setSeen(NOTHING)
  }, [stop])
  const run = useCallback(
    async (draft: ServerDraft, isAsked: boolean, known: KnownServer) => {
      stop()
      const testId = crypto.randomUUID()
      current.current = testId
      setSeen({ isBusy: true, isAsked })
      const outcome = await engine.testServer({ ...requestOf(draft), ...known, testId }).then(
        (report) => ({ report }),
        (error: unknown) => ({ failure: failureOf(error) }),
      )
      // Another one was begun meanwhile, or the form says something else.
      if (current.current !== testId) return undefined
      current.current = undefined
      setSeen({ isBusy: false, isAsked, ...outcome })
      return 'report' in outcome ? outcome.report : undefined
    },
    [engine, stop],
  )
  return { ...seen, run, forget }
}
