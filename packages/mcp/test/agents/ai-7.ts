import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { isStepCount, streamText } from 'ai'
import type { AiSdk } from './agent.ts'

export const ai7: AiSdk = {
  streamText: streamText as never,
  stopAfter: isStepCount,
  model(format, baseURL) {
    const headers = { 'anthropic-dangerous-direct-browser-access': 'true' }
    if (format === 'messages') return createAnthropic({ baseURL, apiKey: 'k', headers })('claude-sonnet-4-5')
    const openai = createOpenAI({ baseURL, apiKey: 'k' })
    return format === 'chat' ? openai.chat('gpt-4o') : openai('gpt-4o')
  },
}
