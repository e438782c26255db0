import type { LanguageModel } from 'ai'
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test'

const usage = { inputTokens: { total: 1, noCache: 1 }, outputTokens: { total: 1, text: 1 } } as never

/** A model of the AI SDK 7 that calls these tools, one a step, and then says what it read last. */
export function obedientModel(...calls: [toolName: string, input: object][]): LanguageModel {
  let step = 0
  const next = (prompt: unknown[]): { content: object[]; finishReason: any } => {
    const call = calls[step++]
    if (!call) {
      const text = JSON.stringify((prompt.at(-1) as { content: unknown }).content)
      return { content: [{ type: 'text', text }], finishReason: { unified: 'stop', raw: 'stop' } }
    }
    const [toolName, input] = call
    const part = { type: 'tool-call', toolCallId: `call-${step}`, toolName, input: JSON.stringify(input) }
    return { content: [part], finishReason: { unified: 'tool-calls', raw: 'tool-calls' } }
  }
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => ({ ...next(prompt), usage, warnings: [] }) as never,
    doStream: async ({ prompt }) => {
      const { content, finishReason } = next(prompt)
      const parts = content.flatMap((part: any) =>
        part.type === 'text'
          ? [
              { type: 'text-start', id: '1' },
              { type: 'text-delta', id: '1', delta: part.text },
              { type: 'text-end', id: '1' },
            ]
          : [part],
      )
      const stream = [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', finishReason, usage }]
      return { stream: convertArrayToReadableStream(stream) } as never
    },
  })
}
