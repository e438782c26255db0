// An agent of the AI SDK with the tools of a server: the model calls them until it has its answer.
import { openai } from '@ai-sdk/openai'
import { createMCPClient } from '@switchboard/mcp'
import { isStepCount, streamText } from 'ai'

const client = await createMCPClient({
  transport: { type: 'http', url: process.argv[2] ?? 'http://localhost:4114/demo/mcp' },
  onUncaughtError: (error) => console.log(error.message), // also of a tool that was left out, and why
})

const result = streamText({
  model: openai('gpt-5-mini'), // OPENAI_API_KEY in the environment; any provider of the AI SDK will do
  tools: await client.tools(),
  stopWhen: isStepCount(10),
  prompt: 'What will the weather be like in Oslo, and what time is it there?',
  onEnd: () => client.close(),
})

for await (const part of result.stream) {
  if (part.type === 'tool-call') console.log(`calls ${part.title}: ${JSON.stringify(part.input)}`)
}
console.log(await result.text)
