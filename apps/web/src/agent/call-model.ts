import { failureOf } from '#domain/failure.ts'
import type { Message, Stream } from '#domain/message.ts'
import type { AskedTurn, Ending } from './ask-model.ts'
import { createLatestWrite } from '#lib/latest-write.ts'
import { loaded } from './load-part.ts'
import type { Models } from './models.ts'
import type { ToolSource, TurnStorage } from './needs.ts'

export interface ModelCallNeeds {
  storage: TurnStorage
  tools: ToolSource
  models: Pick<Models, 'modelOf'>
  now: () => number
  newId: () => string
  /** What has arrived is stored at most this often. */
  growEveryMs: number
  /** A model that says nothing for so long is given up. */
  silenceMs: number
  /** First pause before a model is asked again; the next is twice as long. */
  retryPauseMs: number
}

/** Lets the model answer what is shown. Its message, and what it asks for, are in storage when this resolves. */
export async function callModel(
  needs: ModelCallNeeds,
  turn: Omit<AskedTurn, 'messageId'>,
  signal: AbortSignal,
): Promise<void> {
  const { storage, now, newId } = needs
  const { conversationId } = turn
  // The message is there before anything is asked of anybody: the user sees that something happens.
  const message = await storage.append({
    id: newId(),
    conversationId,
    role: 'assistant',
    parts: [],
    status: 'streaming',
  })
  const growth = createLatestWrite(
    (soFar: Pick<Stream, 'parts' | 'arriving'>) => storage.grow({ messageId: message.id, conversationId, ...soFar }),
    needs.growEveryMs,
  )
  const ending = await ask().catch((error: unknown): Ending => {
    const change: Partial<Message> = signal.aborted
      ? { status: 'stopped' }
      : { status: 'failed', failure: failureOf(error) }
    return { change, calls: [] }
  })
  await growth.end()
  await storage.complete(message.id, { ...ending.change, completedAt: now() }, ending.calls)

  async function ask(): Promise<Ending> {
    const { askModel } = await loaded(import('./ask-model.ts'))
    return askModel(needs, { ...turn, messageId: message.id }, signal, growth.push)
  }
}
