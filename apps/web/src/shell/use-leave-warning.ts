import { useEffect } from 'react'
import { runningCalls } from '#storage/live.ts'
import { useEngineState } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'

/** Has the browser ask before this tab is left while a tool runs in it: whether that did its work, nobody would know. */
export function useLeaveWarning(): void {
  const turns = useEngineState((state) => state.turns)
  const running = useLive(runningCalls, [])
  const isAtWork = running?.some(({ conversationId }) => turns[conversationId] === 'running') ?? false
  useEffect(() => {
    if (!isAtWork) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isAtWork])
}
