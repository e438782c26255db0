import { useCallback, useEffect, useRef, useState } from 'react'
import { draft as draftOf } from '#storage/live.ts'
import { useEngine } from './use-engine.ts'
import { useLeftBehind } from './use-left-behind.ts'
import { useLive } from './use-live.ts'

const SAVE_AFTER_MS = 300

/**
 * Words that are typed and not sent: they survive a reload. `setText` saves a moment later, at the latest when the page is left.
 * Undefined until it is known what was typed before.
 */
export function useDraft(id: string): {
  text: string | undefined
  setText: (text: string) => void
  forget: () => void
} {
  const engine = useEngine()
  const stored = useLive((db) => draftOf(db, id), [id])
  const unsaved = useRef<string>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const save = useCallback(() => {
    clearTimeout(timer.current)
    const text = unsaved.current
    if (text === undefined) return
    engine
      .saveDraft({ id, text })
      .then(() => {
        if (unsaved.current === text) unsaved.current = undefined
      })
      // A draft that could not be saved is still on the screen.
      .catch(() => {})
  }, [engine, id])
  // Not that the field is empty: a message that was on its way when the page went may not have arrived.
  const tell = useCallback(() => unsaved.current || undefined, [])
  const left = useLeftBehind(id, tell, save)
  const [typed, setTyped] = useState(left)
  /** Something was typed before it was known what stood there. */
  const isEarly = useRef(false)
  const isKnown = left !== undefined || stored !== undefined
  const known = useRef(isKnown)
  known.current = isKnown
  const setText = useCallback(
    (text: string) => {
      isEarly.current ||= !known.current
      setTyped(text)
      clearTimeout(timer.current)
      unsaved.current = text
      timer.current = setTimeout(save, SAVE_AFTER_MS)
    },
    [save],
  )
  const forget = useCallback(() => {
    clearTimeout(timer.current)
    unsaved.current = undefined
  }, [])
  useEffect(() => {
    if (left !== undefined) setText(left)
  }, [left, setText])
  useEffect(() => {
    const early = isEarly.current && isKnown && unsaved.current
    if (isKnown) isEarly.current = false
    if (early && stored) setText(`${stored}\n\n${early}`)
  }, [isKnown])
  // Once something was typed here, what another tab saves does not change it under the fingers.
  return { text: typed ?? stored, setText, forget }
}
