import { useEffect } from 'react'
import { listConversations, runningCalls } from '#storage/live.ts'
import { useEngineState } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'

/** Has the browser ask before this tab is left while a tool runs in it, of which nobody would know whether it did its work, or where nothing is saved. */
export function useLeaveWarning(): void {
  const turns = useEngineState((state) => state.turns)
  const isInMemory = useEngineState(({ storage }) => storage.state === 'memory')
  const hasChats = useLive((db) => listConversations(db, { limit: 1 }), [])?.length === 1
  const running = useLive(runningCalls, [])
  const isAtWork = running?.some(({ conversationId }) => turns[conversationId] === 'running') ?? false
  // What was said in a tab that saves nothing is gone when it closes.
  const wouldLose = isAtWork || (isInMemory && hasChats)
  useEffect(() => {
    if (!wouldLose) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [wouldLose])
}
