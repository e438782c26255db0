import { loaded } from './load-part.ts'
import type { ModelNeeds, Models } from './models.ts'

/** The models, loaded when one is first asked for anything. */
export function createModelsLater(needs: ModelNeeds): Models {
  const load = async () => (await loaded(import('./models.ts'))).createModels(needs)
  return {
    modelOf: async (chosen) => (await load()).modelOf(chosen),
    list: async (question) => (await load()).list(question),
    test: async (question) => (await load()).test(question),
  }
}
