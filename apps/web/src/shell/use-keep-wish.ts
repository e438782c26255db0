import { useEffect, useRef } from 'react'
import { servers } from '#storage/live.ts'
import { useLive } from '#wiring/use-live.ts'

/**
 * Asks the browser not to clear what is here by itself, when the user has added a first server: from then on there is something
 * to lose. Whoever has servers already is not asked again at every start; Settings has a button for it.
 */
export function useKeepWish(): void {
  const count = useLive(async (db) => (await servers(db)).filter(({ builtIn }) => !builtIn).length, [])
  const isFirst = useRef<boolean>(undefined)
  useEffect(() => {
    if (count === undefined) return
    if (isFirst.current && count > 0) {
      isFirst.current = false
      // A browser that denies storage has nothing to keep, and says so in its own way.
      void navigator.storage?.persist().catch(() => {})
    }
    isFirst.current ??= count === 0
  }, [count])
}
