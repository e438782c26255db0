import { useCallback, useEffect, useState } from 'react'
import type { Commands } from '#wiring/commands.ts'
import { useEngine, useEngineState } from '#wiring/use-engine.ts'

const EVERY_MS = 4_000

/** The programs of the companion, looked at again and again: its file changes while one looks. */
export function useCompanionServers() {
  const engine = useEngine()
  const isPresent = useEngineState((state) => state.companion === 'present')
  const [listed, setListed] = useState<ReturnType<Commands['companionServers']>>()
  const look = useCallback(() => void engine.companionServers().then(setListed, () => setListed(undefined)), [engine])
  useEffect(() => {
    look()
    if (!isPresent) return
    const timer = setInterval(look, EVERY_MS)
    return () => clearInterval(timer)
  }, [isPresent, look])
  return { listed, look }
}
