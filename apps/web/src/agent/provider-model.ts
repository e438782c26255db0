import type { LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider'
import { Failed } from '#domain/failure.ts'
import type { Asked } from './explain-provider.ts'
import type { ModelAddress } from './model-address.ts'
import type { ProviderFetch } from './provider-fetch.ts'

/** A model, with what differs from service to service. */
export interface ProviderModel {
  model: Pick<LanguageModelV4, 'doStream'>
  /** Whether its wire format carries pictures and audio within the results of tools. */
  mediaInResults: boolean
  /** Where the GPT sets none. */
  maxOutputTokens?: number
  providerOptions?: SharedV4ProviderOptions
}

/** Without it Anthropic answers no page. */
export const BROWSER_ACCESS = { 'anthropic-dangerous-direct-browser-access': 'true' }

/** For models that the provider does not know yet, whose answers it would cut at 4096. */
const ANTHROPIC_OUTPUT = 16_384

/** Providers are large, and most people use one: each is loaded when it is first asked. */
export async function providerModel(
  { kind, api }: ModelAddress,
  modelId: string,
  { key = '', baseUrl }: Asked,
  fetch: ProviderFetch,
): Promise<ProviderModel> {
  switch (kind) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      const openai = createOpenAI({ baseURL: baseUrl, apiKey: key, fetch })
      if (api === 'chat') return { model: openai.chat(modelId), mediaInResults: false }
      // What is said stays here: nothing of it is kept at the service to be named later.
      return { model: openai.responses(modelId), mediaInResults: true, providerOptions: { openai: { store: false } } }
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      const anthropic = createAnthropic({ baseURL: baseUrl, apiKey: key, headers: BROWSER_ACCESS, fetch })
      return { model: anthropic(modelId), mediaInResults: true, maxOutputTokens: ANTHROPIC_OUTPUT }
    }
    case 'compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const secret = key ? { apiKey: key } : {}
      const service = createOpenAICompatible({
        name: 'compatible',
        baseURL: baseUrl,
        includeUsage: true,
        fetch,
        ...secret,
      })
      return { model: service(modelId), mediaInResults: false }
    }
    case 'practice':
      throw new Failed('internal', 'The practice model has no provider.')
  }
}
