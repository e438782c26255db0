import type { ModelConnection } from '#domain/model-connection.ts'
import type { EngineState } from '#wiring/commands.ts'

/** What keeps a message from being sent, and where to change that. */
export interface Obstacle {
  text: string
  action?: { label: string; to: string }
}

export function whyNotSend(
  {
    phase,
    vault,
    turn,
  }: Pick<EngineState, 'phase'> & {
    vault: EngineState['vault']['state']
    turn: EngineState['turns'][string] | undefined
  },
  {
    connection,
    isAsked,
    hasQuestion,
  }: {
    connection: ModelConnection | undefined
    /** A call waits for permission. */
    isAsked: boolean
    /** A call waits for an answer that its server wants. */
    hasQuestion?: boolean | undefined
  },
): Obstacle | undefined {
  if (phase !== 'ready') return { text: 'Starting…' }
  if (!connection) {
    return {
      text: 'The model of this GPT is not connected any more.',
      action: { label: 'Connect a model', to: '/settings/models' },
    }
  }
  if (vault === 'locked' && connection.hasKey) {
    return {
      text: `The vault is locked, and the key for ${connection.name} is in it.`,
      action: { label: 'Unlock', to: '/settings/vault' },
    }
  }
  if (turn === 'elsewhere') return { text: 'This chat is busy in another tab. What arrives there shows here too.' }
  if (isAsked) return { text: 'Allow or deny the call above first.' }
  if (hasQuestion) return { text: 'Answer the question above first.' }
  return undefined
}
