import type { ModelConnection } from '#domain/model-connection.ts'
import { useEngineState } from '#wiring/use-engine.ts'
import { type Obstacle, whyNotSend } from './why-not-send.ts'

/** What keeps a message from being sent now, if anything does. */
export function useObstacle(
  connection: ModelConnection | undefined,
  asked: { turn: 'running' | 'elsewhere' | undefined; isAsked: boolean; hasQuestion?: boolean },
): Obstacle | undefined {
  const phase = useEngineState((state) => state.phase)
  const vault = useEngineState((state) => state.vault.state)
  return whyNotSend({ phase, vault, turn: asked.turn }, { connection, ...asked })
}
