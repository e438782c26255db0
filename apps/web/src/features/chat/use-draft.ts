import { useCallback, useEffect, useRef, useState } from 'react'
import { draft as draftOf } from '#storage/live.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'

const SAVE_AFTER_MS = 300

/** Words that are typed and not sent: they survive a reload. `setText` saves a moment later, at the latest when the page is left. */
export function useDraft(id: string): { text: string; setText: (text: string) => void } {
  const engine = useEngine()
  const stored = useLive((db) => draftOf(db, id), [id])
  const [typed, setTyped] = useState<string>()
  const unsaved = useRef<{ text: string; timer: ReturnType<typeof setTimeout> }>(undefined)

  const save = useCallback(() => {
    if (!unsaved.current) return
    const { text, timer } = unsaved.current
    clearTimeout(timer)
    unsaved.current = undefined
    // A draft that could not be saved is still on the screen.
    engine.saveDraft({ id, text }).catch(() => {})
  }, [engine, id])
  const setText = useCallback(
    (text: string) => {
      setTyped(text)
      clearTimeout(unsaved.current?.timer)
      unsaved.current = { text, timer: setTimeout(save, SAVE_AFTER_MS) }
    },
    [save],
  )
  useEffect(() => {
    addEventListener('pagehide', save)
    return () => {
      removeEventListener('pagehide', save)
      save()
    }
  }, [save])
  // Once something was typed here, what another tab saves does not change it under the fingers.
  return { text: typed ?? stored ?? '', setText }
}
