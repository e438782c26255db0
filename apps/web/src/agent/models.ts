import { type AcceptedMedia, acceptedMedia } from '#domain/accepted-media.ts'
import { Failed, type Failure } from '#domain/failure.ts'
import type { Gpt } from '#domain/gpt.ts'
import { type Asked, explainTrouble } from './explain-provider.ts'
import { listModels, type ModelList } from './list-models.ts'
import { loaded } from './load-part.ts'
import { baseUrlOf, type ModelAddress, modelOrigin } from './model-address.ts'
import type { KeySource, TurnStorage } from './needs.ts'
import { createProviderFetch, type Fetch } from './provider-fetch.ts'
import { type ProviderModel, providerModel } from './provider-model.ts'

/** A model that can be asked. */
export interface ReadyModel extends ProviderModel {
  connectionId: string
  modelId: string
  name: string
  accepts: AcceptedMedia
  explain: (error: unknown) => Failed
}

export interface ModelNeeds {
  storage: Pick<TurnStorage, 'modelConnection'>
  keys: KeySource
  fetch: Fetch
  now: () => number
  isOnline: () => boolean
  /** Of the practice model between two words. */
  wordDelayMs: number
}

/** A service as it stands in a form: with the key that was typed, or that of the saved connection. */
export interface ModelQuestion {
  model: ModelAddress
  key?: string
  connectionId?: string
}

export interface Models {
  modelOf(chosen: Gpt['model']): Promise<ReadyModel>
  list(question: ModelQuestion): Promise<ModelList>
  /** The same, with a failure as an answer. */
  test(question: ModelQuestion): Promise<{ models: string[]; failure?: Failure }>
}

export function createModels(needs: ModelNeeds): Models {
  const { storage, keys, now } = needs

  async function practice(connectionId: string): Promise<ReadyModel> {
    const { createPracticeModel } = await loaded(import('./practice-model.ts'))
    const name = 'Practice model'
    return {
      model: createPracticeModel({ wordDelayMs: needs.wordDelayMs }),
      connectionId,
      modelId: 'practice',
      name,
      // It mentions the pictures in its reports.
      accepts: { pictures: true, audio: false },
      mediaInResults: true,
      explain: (error) => explainTrouble(error, { kind: 'practice', name, baseUrl: '', key: undefined }, now()),
    }
  }

  async function savedKey(connectionId: string | undefined, address: ModelAddress): Promise<string | undefined> {
    const saved = connectionId ? await storage.modelConnection(connectionId) : undefined
    if (!saved?.hasKey) return undefined
    // Whoever may type an address could otherwise have the key sent to himself.
    if (saved.kind !== address.kind || modelOrigin(saved) !== modelOrigin(address))
      throw new Failed(
        'bad-input',
        `The saved key belongs to ${modelOrigin(saved)}. Enter the key for ${modelOrigin(address)}.`,
      )
    return keys.keyOf(saved.id)
  }

  async function list({ model, key, connectionId }: ModelQuestion): Promise<ModelList> {
    if (model.kind === 'practice') return { models: ['practice'], acceptedMedia: {} }
    const asked = askedOf(model, key || (await savedKey(connectionId, model)))
    return listModels(createProviderFetch(needs, asked), asked, now)
  }

  return {
    list,

    async modelOf(chosen) {
      const { connectionId, modelId } = chosen
      const connection = await storage.modelConnection(connectionId)
      if (!connection)
        throw new Failed('no-model', "This GPT has no model: its connection is gone. Choose one in the GPT's settings.")
      if (connection.kind === 'practice') return practice(connectionId)
      if (!modelId)
        throw new Failed('no-model', `No model of ${connection.name} is chosen. Choose one in the GPT's settings.`)
      const key = connection.hasKey ? await keys.keyOf(connectionId) : undefined
      // Entered a moment ago for another address, it is not for the one that was read before.
      const current = await storage.modelConnection(connectionId)
      if (current?.kind !== connection.kind || current.baseUrl !== connection.baseUrl)
        throw new Failed('no-model', `${connection.name} was changed just now. Try again.`)
      const asked = askedOf(connection, key, modelId)
      const provided = await loaded(providerModel(connection, modelId, asked, createProviderFetch(needs, asked)))
      return {
        ...provided,
        connectionId,
        modelId,
        name: modelId,
        accepts: acceptedMedia(chosen, connection),
        explain: (error) => explainTrouble(error, asked, now()),
      }
    },

    async test(question) {
      try {
        return { models: (await list(question)).models }
      } catch (error) {
        if (error instanceof Failed) return { models: [], failure: error.failure }
        throw error
      }
    },
  }
}

function askedOf(model: ModelAddress, key: string | undefined, modelId?: string): Asked {
  const baseUrl = baseUrlOf(model, key !== undefined)
  return {
    kind: model.kind,
    // A form can be tested before a name is entered.
    name: model.name.trim() || new URL(baseUrl).host,
    baseUrl,
    key,
    ...(modelId === undefined ? {} : { modelId }),
  }
}
