import { generateText as generate7, isStepCount } from 'ai'
import { generateText as generate5, stepCountIs as steps5 } from 'ai-5'
import { MockLanguageModelV2 } from 'ai-5/test'
import { generateText as generate6, stepCountIs as steps6 } from 'ai-6'
import { MockLanguageModelV3 } from 'ai-6/test'
import { MockLanguageModelV4 } from 'ai/test'

/** What a model was told, and what came of its one tool call. */
export interface Run {
  /** The tools as the model was shown them. */
  shown: { name: string; description?: string; inputSchema: Record<string, any> }[]
  /** What the model read as the tool's result. */
  read: { type: string; value: any } | undefined
  /** The tool call as the application sees it. */
  call: any
  output: unknown
  warnings: unknown[]
}
export interface Version {
  version: 5 | 6 | 7
  /** Lets a model call one tool, and then end. */
  run(tools: any, toolName: string, input?: unknown, settings?: object): Promise<Run>
}

const versions = {
  5: {
    Model: MockLanguageModelV2,
    generate: generate5,
    steps: steps5,
    usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
  },
  6: { Model: MockLanguageModelV3, generate: generate6, steps: steps6 },
  7: { Model: MockLanguageModelV4, generate: generate7, steps: isStepCount },
} as const
const laterUsage = { inputTokens: { total: 1, noCache: 1 }, outputTokens: { total: 1, text: 1 } }

/** Three versions of the AI SDK, with a model of their own that does as it is told. */
export const aiVersions: Version[] = ([5, 6, 7] as const).map((version) => ({
  version,
  async run(tools, toolName, input = {}, settings = {}) {
    const { Model, generate, steps } = versions[version] as any
    const reason = (name: string): unknown => (version === 5 ? name : { unified: name, raw: name })
    const usage = version === 5 ? versions[5].usage : laterUsage
    const asked: any[] = []
    const call = { type: 'tool-call', toolCallId: 'call-1', toolName, input: JSON.stringify(input) }
    const model = new Model({
      async doGenerate(options: any) {
        asked.push(options)
        const content = asked.length === 1 ? [call] : [{ type: 'text', text: 'done' }]
        return { content, finishReason: reason(asked.length === 1 ? 'tool-calls' : 'stop'), usage, warnings: [] }
      },
    })
    const warnings: unknown[] = []
    const before = (globalThis as any).AI_SDK_LOG_WARNINGS
    ;(globalThis as any).AI_SDK_LOG_WARNINGS = (told: unknown) => warnings.push(told)
    try {
      const result = await generate({ model, tools, prompt: 'x', stopWhen: steps(3), maxRetries: 0, ...settings })
      const last = asked[1]?.prompt.at(-1).content[0]
      const first = result.steps[0]
      return {
        shown: asked[0].tools,
        read: last?.output,
        call: first.toolCalls[0],
        output: first.toolResults[0]?.output,
        warnings,
      }
    } finally {
      ;(globalThis as any).AI_SDK_LOG_WARNINGS = before
    }
  },
}))
