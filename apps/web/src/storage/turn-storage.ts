import { createCallsByHand } from './calls-by-hand.ts'
import { createConversations } from './conversations.ts'
import type { Database } from './db.ts'
import { createGpts } from './gpts.ts'
import { createGrants } from './grants.ts'
import { heal } from './heal.ts'
import { createMessages } from './messages.ts'
import { createModelConnections } from './model-connections.ts'
import { createQuestionsLater } from './questions-later.ts'
import { createServers } from './servers.ts'
import { createTasks } from './tasks.ts'
import { createToolCalls } from './tool-calls.ts'

/** What a turn reads and writes; the agent states the same as its need. */
export function createTurnStorage(db: Database) {
  const { shown, append, grow, complete } = createMessages(db)
  const { grantsFor, addGrant } = createGrants(db)
  const { unfinishedByHand, healByHand } = createCallsByHand(db)
  const { task, changeTask, endTask, deliverTasks } = createTasks(db)

  return {
    conversation: createConversations(db).conversation,
    gpt: createGpts(db).gpt,
    modelConnection: createModelConnections(db).modelConnection,
    shown,
    append,
    grow,
    complete,
    ...createToolCalls(db),
    ...createQuestionsLater(db),
    grantsFor,
    addGrant,
    trustedServers: async (): Promise<string[]> =>
      (await createServers(db).servers()).filter(({ trusted }) => trusted).map(({ id }) => id),
    unfinishedByHand,
    healByHand,
    task,
    changeTask,
    endTask,
    deliverTasks,
    heal: (conversationIds: readonly string[]): Promise<void> => heal(db, conversationIds),
  }
}
