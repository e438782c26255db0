import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { editGpt, type GptEdit } from '#domain/edit-gpt.ts'
import { type Failure, failureOf } from '#domain/failure.ts'
import { useLeftBehind } from '#wiring/use-left-behind.ts'

export type SaveState = { state: 'saved'; at?: number } | { state: 'saving' } | { state: 'failed'; failure: Failure }

const WAIT_MS = 400

/**
 * Saves a moment after the last change, at once when the field or the screen is left, and one save after the other. What the page
 * itself was left with is saved by the next one.
 * A change that could not be saved is kept and goes along with the next.
 */
export function useAutosave(
  id: string,
  save: (change: GptEdit) => Promise<void>,
  /** Of a change, what the next page may take over when this one goes before it was saved. */
  leaves: (change: GptEdit) => GptEdit,
): {
  state: SaveState
  /** What the page before this one was left with, and is saved now. */
  left: GptEdit | undefined
  change: (change: GptEdit) => void
  flush: () => void
} {
  const [state, setState] = useState<SaveState>({ state: 'saved' })
  const waiting = useRef<GptEdit>({})
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const saving = useRef<GptEdit>(undefined)
  const isRefused = useRef(false)
  const leavesNow = useRef(leaves)
  leavesNow.current = leaves
  const saveNow = useRef(save)
  saveNow.current = save

  const flush = useCallback(() => {
    clearTimeout(timer.current)
    const change = waiting.current
    if (saving.current || Object.keys(change).length === 0) return
    waiting.current = {}
    saving.current = change
    setState({ state: 'saving' })
    saveNow
      .current(change)
      .then(
        () => {
          isRefused.current = false
          if (Object.keys(waiting.current).length === 0) setState({ state: 'saved', at: Date.now() })
        },
        (error: unknown) => {
          isRefused.current = true
          waiting.current = editGpt(change, waiting.current)
          setState({ state: 'failed', failure: failureOf(error) })
          return 'failed'
        },
      )
      .then((outcome) => {
        saving.current = undefined
        // What was changed meanwhile; after a failure the next change, not a loop, tries again.
        if (outcome !== 'failed') flush()
      })
      .catch(() => {})
  }, [])

  const change = useCallback(
    (next: GptEdit) => {
      waiting.current = editGpt(waiting.current, next)
      // From now on, not from when it is sent: who reads “Saved” may rely on it.
      setState({ state: 'saving' })
      clearTimeout(timer.current)
      timer.current = setTimeout(flush, WAIT_MS)
    },
    [flush],
  )

  const unsaved = useCallback(() => {
    // What cannot be saved would come back for ever.
    if (isRefused.current) return undefined
    const all = leavesNow.current(editGpt(saving.current ?? {}, waiting.current))
    return Object.keys(all).length === 0 ? undefined : JSON.stringify(all, (_, value: unknown) => value ?? null)
  }, [])
  const note = useLeftBehind(id, unsaved, flush)
  const left = useMemo(() => (note === undefined ? undefined : withUndefined(JSON.parse(note) as GptEdit)), [note])
  useEffect(() => {
    if (left) change(left)
  }, [left, change])
  return { state, left, change, flush }
}

/** JSON has no word for a field that was emptied; in a note it is null. */
function withUndefined<T extends object>(read: T): T {
  const fields = read as Record<string, unknown>
  for (const [key, value] of Object.entries(fields)) {
    if (value === null) fields[key] = undefined
    else if (typeof value === 'object') withUndefined(value)
  }
  return read
}
