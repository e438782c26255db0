import { useCallback, useEffect, useRef, useState } from 'react'
import { type Failure, failureOf } from '#domain/failure.ts'
import { type Engine, useEngine, useEngineState } from './use-engine.ts'

/**
 * What the engine answers, asked again whenever `topic` of its news has changed, and when the server is connected anew.
 * Until the new answer is there the old one stays. `deps` say what is asked for: others are another question.
 */
export function useAsked<T>(
  ask: (engine: Engine, isFresh: boolean) => Promise<T>,
  { serverId, topic, deps }: { serverId: string; topic: string; deps: readonly unknown[] },
): {
  value: T | undefined
  failure: Failure | undefined
  isBusy: boolean
  /** How often it changed since it was first asked for. */
  changes: number
  again: () => void
} {
  const engine = useEngine()
  const key = JSON.stringify([serverId, topic, ...deps])
  const news = useEngineState((state) => state.news?.[topic] ?? 0)
  const isConnected = useEngineState(({ servers }) => servers[serverId]?.state === 'connected')
  const [seen, setSeen] = useState<{ key: string; value?: T; failure?: Failure; news: number }>()
  const [isBusy, setBusy] = useState(true)
  const latest = useRef(0)
  const asking = useRef(ask)
  asking.current = ask

  const look = useCallback(
    async (isFresh: boolean) => {
      latest.current += 1
      const turn = latest.current
      setBusy(true)
      const answer = await asking.current(engine, isFresh).then(
        (value) => ({ value }),
        (error: unknown) => ({ failure: failureOf(error) }),
      )
      // Who asked later gets the answer that counts.
      if (turn !== latest.current) return
      setBusy(false)
      setSeen((before) => ({
        key,
        news: before?.key === key ? before.news : news,
        ...('failure' in answer && before?.key === key && before.value !== undefined && { value: before.value }),
        ...answer,
      }))
    },
    [engine, key],
  )
  const asked = useRef<string>(undefined)
  useEffect(() => {
    const isFresh = asked.current === key
    asked.current = key
    void look(isFresh)
    return () => {
      latest.current += 1
    }
  }, [look, key, news, isConnected])

  const current = seen?.key === key ? seen : undefined
  return {
    value: current?.value,
    failure: current?.failure,
    isBusy,
    changes: current ? Math.max(0, news - current.news) : 0,
    again: () => void look(true),
  }
}
