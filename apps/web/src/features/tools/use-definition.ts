import { useCallback, useEffect, useRef, useState } from 'react'
import { type Failure, failureOf } from '#domain/failure.ts'
import type { ToolDefinition } from '#wiring/commands.ts'
import { useEngine, useEngineState } from '#wiring/use-engine.ts'

export interface LoadedDefinition {
  definition: ToolDefinition | undefined
  failure: Failure | undefined
  isLoading: boolean
  reload: () => void
}

/**
 * The definition of a tool, asked of its server. Asked again when the vault is opened or the server is there again; what was
 * loaded before stays until there is another.
 */
export function useDefinition(serverId: string, toolName: string, isEnabled: boolean): LoadedDefinition {
  const engine = useEngine()
  const isReady = useEngineState((state) => state.phase === 'ready')
  const isOpen = useEngineState((state) => state.vault.state === 'open')
  const isConnected = useEngineState((state) => state.servers[serverId]?.state === 'connected')
  const [definition, setDefinition] = useState<ToolDefinition>()
  const [failure, setFailure] = useState<Failure>()
  const [isLoading, setLoading] = useState(true)
  const [attempt, setAttempt] = useState(0)
  const latest = useRef(0)

  useEffect(() => {
    if (!isReady || !isEnabled) return
    // An answer that comes after a later question is about what was.
    const mine = ++latest.current
    setLoading(true)
    engine
      .toolDefinition({ serverId, toolName })
      .then(
        (loaded) => {
          if (mine !== latest.current) return
          setFailure(undefined)
          setDefinition((before) => (before && isSame(before, loaded) ? before : loaded))
        },
        (error: unknown) => {
          if (mine === latest.current) setFailure(failureOf(error))
        },
      )
      .finally(() => {
        if (mine === latest.current) setLoading(false)
      })
  }, [engine, serverId, toolName, isReady, isEnabled, isOpen, isConnected, attempt])
  const reload = useCallback(() => setAttempt((before) => before + 1), [])
  return { definition, failure, isLoading: isLoading && isEnabled, reload }
}

const isSame = (one: ToolDefinition, other: ToolDefinition): boolean =>
  one.json === other.json &&
  one.found.fingerprint === other.found.fingerprint &&
  one.found.problem === other.found.problem
