import { useCallback, useEffect, useRef, useState } from 'react'
import { type Failure, failureOf } from '#domain/failure.ts'

export type SaveState = { state: 'saved'; at?: number } | { state: 'saving' } | { state: 'failed'; failure: Failure }

const WAIT_MS = 400

/**
 * Saves a moment after the last change, at once when the field or the page is left, and one save after the other.
 * A change that could not be saved is kept and goes along with the next.
 */
export function useAutosave<Change extends object>(
  save: (change: Change) => Promise<void>,
): {
  state: SaveState
  change: (change: Change) => void
  flush: () => void
} {
  const [state, setState] = useState<SaveState>({ state: 'saved' })
  const waiting = useRef<Change>({} as Change)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isSaving = useRef(false)
  const saveNow = useRef(save)
  saveNow.current = save

  const flush = useCallback(() => {
    clearTimeout(timer.current)
    const change = waiting.current
    if (isSaving.current || Object.keys(change).length === 0) return
    waiting.current = {} as Change
    isSaving.current = true
    setState({ state: 'saving' })
    saveNow
      .current(change)
      .then(
        () => setState({ state: 'saved', at: Date.now() }),
        (error: unknown) => {
          waiting.current = { ...change, ...waiting.current }
          setState({ state: 'failed', failure: failureOf(error) })
          return 'failed'
        },
      )
      .then((outcome) => {
        isSaving.current = false
        // What was changed meanwhile; after a failure the next change, not a loop, tries again.
        if (outcome !== 'failed') flush()
      })
      .catch(() => {})
  }, [])

  const change = useCallback(
    (next: Change) => {
      waiting.current = { ...waiting.current, ...next }
      clearTimeout(timer.current)
      timer.current = setTimeout(flush, WAIT_MS)
    },
    [flush],
  )

  useEffect(() => {
    addEventListener('pagehide', flush)
    return () => {
      removeEventListener('pagehide', flush)
      flush()
    }
  }, [flush])
  return { state, change, flush }
}
