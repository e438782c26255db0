import { useEffect } from 'react'
import { useEngine } from '#wiring/use-engine.ts'

const EVERY_MS = 20_000

/** Tells the engine now and then that somebody is there, so that the vault locks only when nobody is. */
export function useActivity(): void {
  const engine = useEngine()
  useEffect(() => {
    let told = 0
    const tell = () => {
      if (Date.now() - told < EVERY_MS) return
      told = Date.now()
      void engine.touch().catch(() => {})
    }
    const events = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const
    for (const event of events) addEventListener(event, tell, { passive: true, capture: true })
    return () => {
      for (const event of events) removeEventListener(event, tell, { capture: true })
    }
  }, [engine])
}
