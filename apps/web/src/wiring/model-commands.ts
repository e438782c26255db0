import { Failed } from '#domain/failure.ts'
import { secretId } from '#domain/sealed.ts'
import type { Carried, EngineParts } from './engine-parts.ts'

type Names = 'testModel' | 'saveModel' | 'deleteModel' | 'restoreModel'

export const keyIdOf = (connectionId: string) => secretId('modelConnections', connectionId, 'key')

export function modelCommands({ connections, models, vault }: EngineParts): Carried<Names> {
  /** A list that cannot be had now can be typed in the GPT, and is asked for again at the next save. */
  async function learnModels(connectionId: string): Promise<void> {
    const connection = await connections.modelConnection(connectionId)
    if (!connection) return
    const found = await models.list({ model: connection, connectionId }).catch(() => undefined)
    if (found) await connections.learn(connectionId, { ...found, modelsAt: Date.now() })
  }

  return {
    testModel: (input) => models.test(input),
    async saveModel({ model, key, connectionId }) {
      if (key && vault.state().state === 'locked')
        throw new Failed('vault-locked', 'Unlock the vault first: the key is kept there.')
      const { id } = connectionId ? await connections.change(connectionId, model) : await connections.add(model)
      if (key) {
        await vault.seal(keyIdOf(id), key)
        await connections.learn(id, { hasKey: true })
      }
      await learnModels(id)
      return { connectionId: id }
    },
    deleteModel: ({ connectionId }) => connections.remove(connectionId),
    restoreModel: ({ connectionId }) => connections.restore(connectionId),
  }
}
