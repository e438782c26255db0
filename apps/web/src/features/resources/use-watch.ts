import { useEffect, useState } from 'react'
import { type Failure, failureOf } from '#domain/failure.ts'
import { useEngine, useEngineState } from '#wiring/use-engine.ts'

/** Hears of changes of a resource while this is on the screen, also over a connection that had to be made anew. */
export function useWatch(
  serverId: string,
  uri: string,
  isOn: boolean,
): { isWatching: boolean; failure: Failure | undefined } {
  const engine = useEngine()
  const isConnected = useEngineState(({ servers }) => servers[serverId]?.state === 'connected')
  const [outcome, setOutcome] = useState<{ isWatching: boolean; failure?: Failure }>({ isWatching: false })
  useEffect(() => {
    if (!isOn) return
    let isOver = false
    const watching = engine.watchResource({ serverId, uri }).then(
      () => {
        if (!isOver) setOutcome({ isWatching: true })
        return true
      },
      (error: unknown) => {
        if (!isOver) setOutcome({ isWatching: false, failure: failureOf(error) })
        return false
      },
    )
    return () => {
      isOver = true
      setOutcome({ isWatching: false })
      // Only what has begun can be ended: sent earlier, it could overtake the beginning.
      void watching.then((began) => (began ? engine.unwatchResource({ serverId, uri }) : undefined)).catch(() => {})
    }
  }, [engine, serverId, uri, isOn, isConnected])
  return { isWatching: outcome.isWatching, failure: outcome.failure }
}
