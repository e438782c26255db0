import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import { TOLD } from '#domain/result-for-model.ts'
import { READ_RESULT, SEARCH_RESULT } from '#domain/result-handle.ts'
import { GO_ON } from './build-prompt.ts'
import { type PlannedCall, planCalls } from './practice/plan-calls.ts'
import { reportResults, reportTask } from './practice/report-results.ts'
import { readTool, type ToolOnOffer } from './practice/tool-on-offer.ts'
import { tellingWords } from './practice/words.ts'
import { wait } from './wait.ts'

const MOST_LISTED = 20
/** Where tools are many, those that fit have to be looked for first. */
const SEARCH = 'find_tools'
/** Tools of the app itself: no wish of a user is for one of these, whatever words are in it. */
const OURS: ReadonlySet<string> = new Set([SEARCH, READ_RESULT, SEARCH_RESULT])

/**
 * A model that needs no network: it finds the tool that fits the user's words, fills its arguments from them, and reports
 * what came back. The same words always get the same answer.
 */
export function createPracticeModel({
  wordDelayMs,
  today = () => new Date(),
}: {
  wordDelayMs: number
  today?: () => Date
}): Pick<LanguageModelV4, 'doStream'> {
  return {
    doStream: async ({ prompt, tools = [], abortSignal = new AbortController().signal }) => ({
      stream: spoken(reply(prompt, tools, today()), wordDelayMs, abortSignal),
    }),
  }
}

interface Reply {
  text: string
  calls: PlannedCall[]
}

function reply(
  prompt: LanguageModelV4Prompt,
  offered: NonNullable<LanguageModelV4CallOptions['tools']>,
  today: Date,
): Reply {
  const asked = prompt.findLastIndex((message) => message.role === 'user' && textOf(message) !== GO_ON)
  const results = prompt.slice(asked + 1).findLast(({ role }) => role === 'tool')
  const search = offered.find(({ name }) => name === SEARCH)
  const hasSearched = results !== undefined && resultsOf(results).every(({ toolName }) => toolName === SEARCH)
  if (results && !hasSearched) return { text: reportResults(resultsOf(results)), calls: [] }
  const message = prompt[asked]
  const said = message ? textOf(message) : ''
  if (said.startsWith(TOLD.taskEnded)) return { text: reportTask(said), calls: [] }
  const tools = offered.flatMap((tool) => (tool.type === 'function' && !OURS.has(tool.name) ? [readTool(tool)] : []))
  const { calls, unmet } = planCalls(said, tools, today)
  if (
    calls.length === 0 &&
    unmet.length === 0 &&
    search?.type === 'function' &&
    !hasSearched &&
    tellingWords(said).length > 0
  )
    return {
      text: 'I will look for a tool.',
      calls: [{ tool: readTool(search), input: { query: said.slice(0, 500) } }],
    }
  if (calls.length === 0 && unmet.length > 0) return { text: unmet.join('\n\n'), calls }
  return { text: calls.length > 0 ? [...unmet, announce(calls)].join('\n\n') : introduce(said, tools), calls }
}

const textOf = ({ content }: LanguageModelV4Message): string =>
  typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')

const resultsOf = ({ content }: LanguageModelV4Message): LanguageModelV4ToolResultPart[] =>
  typeof content === 'string' ? [] : content.filter((part) => part.type === 'tool-result')

function announce(calls: readonly PlannedCall[]): string {
  const names = [...new Set(calls.map(({ tool }) => `\`${tool.name}\``))]
  return calls.length === 1
    ? `I will use ${names.join('')} for that.`
    : `I will use ${names.join(' and ')} for that, ${calls.length} calls.`
}

function introduce(said: string, tools: readonly ToolOnOffer[]): string {
  const greeting = /^\s*(hi|hello|hey|good (morning|evening|day))\b/i.test(said) ? 'Hello! ' : ''
  const who = `${greeting}I am the practice model: I work offline, and all I can do is find a tool that fits your words, call it and report.`
  if (tools.length === 0) return `${who} This GPT has no tools yet: give it some under Tools in its settings.`
  const lines = tools
    .slice(0, MOST_LISTED)
    .map(({ name, title, description }) => `- **${title || name}**: ${firstSentence(description)}`)
  const more = tools.length > MOST_LISTED ? `\n- and ${tools.length - MOST_LISTED} more` : ''
  return `${who} None fits what you said. These are here:\n\n${lines.join('\n')}${more}\n\nTry naming one of them.`
}

const firstSentence = (text: string): string =>
  (/^[^]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text).replace(/\s+/g, ' ').slice(0, 160)

function* partsOf({ text, calls }: Reply): Generator<LanguageModelV4StreamPart, undefined> {
  yield { type: 'stream-start', warnings: [] }
  yield { type: 'text-start', id: 'text' }
  for (const delta of text.match(/\S+\s*/g) ?? []) yield { type: 'text-delta', id: 'text', delta }
  yield { type: 'text-end', id: 'text' }
  for (const [index, { tool, input }] of calls.entries()) {
    const [toolCallId, toolName, json] = [`practice-${index}`, tool.modelName, JSON.stringify(input)]
    yield { type: 'tool-input-start', id: toolCallId, toolName }
    yield { type: 'tool-input-delta', id: toolCallId, delta: json }
    yield { type: 'tool-input-end', id: toolCallId }
    yield { type: 'tool-call', toolCallId, toolName, input: json }
  }
  const none = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined }
  yield {
    type: 'finish',
    finishReason: { unified: calls.length > 0 ? 'tool-calls' : 'stop', raw: undefined },
    usage: { inputTokens: none, outputTokens: { total: undefined, text: undefined, reasoning: undefined } },
  }
}

function spoken(said: Reply, wordDelayMs: number, signal: AbortSignal): ReadableStream<LanguageModelV4StreamPart> {
  const parts = partsOf(said)
  return new ReadableStream({
    async pull(controller) {
      const next = parts.next()
      if (next.done) return controller.close()
      if (wordDelayMs > 0 && next.value.type === 'text-delta') await wait(wordDelayMs, signal)
      if (signal.aborted) return controller.error(new DOMException('Stopped', 'AbortError'))
      controller.enqueue(next.value)
    },
  })
}
