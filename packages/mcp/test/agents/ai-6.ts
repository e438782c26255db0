import { stepCountIs, streamText } from 'ai-6'
import { createAnthropic } from 'ai-6-anthropic'
import { createOpenAI } from 'ai-6-openai'
import type { AiSdk } from './agent.ts'

export const ai6: AiSdk = {
  streamText: streamText as never,
  stopAfter: stepCountIs,
  model(format, baseURL) {
    if (format === 'messages') return createAnthropic({ baseURL, apiKey: 'k' })('claude-sonnet-4-5')
    const openai = createOpenAI({ baseURL, apiKey: 'k' })
    return format === 'chat' ? openai.chat('gpt-4o') : openai('gpt-4o')
  },
}
