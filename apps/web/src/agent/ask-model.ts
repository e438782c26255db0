import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { Failed, type Failure } from '#domain/failure.ts'
import type { Gpt } from '#domain/gpt.ts'
import type { Message, Stream } from '#domain/message.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { buildPrompt } from './build-prompt.ts'
import type { ModelCallNeeds } from './call-model.ts'
import { ProviderFailed } from './explain-provider.ts'
import type { ReadyModel } from './models.ts'
import type { OfferedTool } from './needs.ts'
import { newCalls } from './new-calls.ts'
import { offerTools } from './offer-tools.ts'
import { type Answer, createAnswer } from './read-answer.ts'
import { untilAborted } from './until-aborted.ts'
import { wait } from './wait.ts'

const MOST_RETRIES = 2
const LONGEST_RETRY_PAUSE_MS = 20_000

/** How a message ends, and what it asks for. */
export interface Ending {
  change: Partial<Message>
  calls: ToolCall[]
}

export interface AskedTurn {
  conversationId: string
  gpt: Gpt
  messages: Message[]
  calls: ToolCall[]
  /** Where the answer stands. */
  messageId: string
}

/** Asks the model, and makes of what it says the end of a message. `onGrowth` hears what has arrived so far. */
export async function askModel(
  needs: ModelCallNeeds,
  { conversationId, gpt, messages, calls, messageId }: AskedTurn,
  signal: AbortSignal,
  onGrowth: (soFar: Pick<Stream, 'parts' | 'arriving'>) => void,
): Promise<Ending> {
  const ready = await needs.models.modelOf(gpt.model)
  const { tools, withheld, missing } = await needs.tools.toolsOf(gpt, signal)
  const offered = await offerTools(tools, calls, messages)
  const prompt = buildPrompt({
    instructions: gpt.instructions,
    messages,
    calls,
    missing: missing.map(({ serverName }) => serverName),
    connectionId: ready.connectionId,
    accepts: ready.accepts,
    mediaInResults: ready.mediaInResults,
    today: new Date(needs.now()).toISOString().slice(0, 10),
  })
  const { answer, failure } = await listen(needs, ready, { prompt, ...settings(gpt, ready, offered) }, signal, onGrowth)
  const { connectionId, modelId, name } = ready
  const change = {
    ...endOf(answer, failure, signal.aborted),
    model: { connectionId, modelId, name: name.slice(0, 200) },
  }
  const asked = change.status === 'done' ? answer.calls() : []
  const whose = { conversationId, messageId, gptId: gpt.id }
  // Also what it was not shown this time may be called: it was found before, or somebody named it.
  return { change, calls: newCalls(asked, { tools: [...tools, ...offered], withheld }, whose, needs.now()) }
}

function settings(
  gpt: Gpt,
  ready: ReadyModel,
  tools: readonly OfferedTool[],
): Omit<LanguageModelV4CallOptions, 'prompt'> {
  const { temperature, maxOutputTokens = ready.maxOutputTokens } = gpt.settings
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(ready.providerOptions ? { providerOptions: ready.providerOptions } : {}),
    ...(tools.length > 0 ? { tools: tools.map(offer) } : {}),
  }
}

const offer = ({ modelName, title, description, inputSchema }: OfferedTool): LanguageModelV4FunctionTool => ({
  type: 'function',
  name: modelName,
  description: description.includes(title) ? description : `${title}: ${description}`,
  inputSchema,
})

/** Asks again while nothing has been said; from the first word on, what has arrived is kept. */
async function listen(
  needs: ModelCallNeeds,
  ready: ReadyModel,
  options: LanguageModelV4CallOptions,
  signal: AbortSignal,
  onGrowth: (soFar: Pick<Stream, 'parts' | 'arriving'>) => void,
): Promise<{ answer: Answer; failure: Failed | undefined }> {
  for (let retries = 0; ; retries += 1) {
    const answer = createAnswer(needs.newId)
    const failure = await listenOnce(needs, ready, options, signal, answer, () => onGrowth(answer.soFar()))
    if (signal.aborted || answer.hasBegun() || retries === MOST_RETRIES) return { answer, failure }
    if (!(failure instanceof ProviderFailed) || !failure.mayPass) return { answer, failure }
    const pause = retryPause(failure, retries, needs)
    if (pause > LONGEST_RETRY_PAUSE_MS) return { answer, failure }
    await wait(pause, signal)
  }
}

function retryPause({ failure: { retryAt } }: Failed, retries: number, { now, retryPauseMs }: ModelCallNeeds): number {
  const jitter = Math.random() * retryPauseMs * 2 ** retries
  return retryAt === undefined ? jitter : retryAt - now() + jitter
}

async function listenOnce(
  needs: ModelCallNeeds,
  { model, explain, name }: ReadyModel,
  options: LanguageModelV4CallOptions,
  signal: AbortSignal,
  answer: Answer,
  onGrowth: () => void,
): Promise<Failed | undefined> {
  const silence = new AbortController()
  const abortSignal = AbortSignal.any([signal, silence.signal])
  const listenAgain = () => setTimeout(() => silence.abort(), needs.silenceMs)
  let timer = listenAgain()
  try {
    const { stream } = await untilAborted(model.doStream({ ...options, abortSignal }), abortSignal)
    const reader = stream.getReader()
    try {
      for (;;) {
        const { done, value } = await untilAborted(reader.read(), abortSignal)
        if (done) break
        clearTimeout(timer)
        timer = listenAgain()
        answer.take(value)
        onGrowth()
      }
    } finally {
      // A stream that nobody reads on would go on to cost money.
      reader.cancel().catch(() => {})
    }
    return answer.error && explain(answer.error.cause)
  } catch (error) {
    if (silence.signal.aborted)
      return new Failed('timeout', `${name} said nothing for ${needs.silenceMs / 1000} s. Continue to ask again.`)
    return signal.aborted ? undefined : explain(error)
  } finally {
    clearTimeout(timer)
  }
}

/** How the message ends. Only where the model itself has ended it is anything it asked for worth running. */
function endOf(answer: Answer, failure: Failed | undefined, isStopped: boolean): Partial<Message> {
  const { finish } = answer
  const said = {
    ...(finish?.usage ? { usage: finish.usage } : {}),
    ...(finish ? { finishReason: finish.reason.unified } : {}),
  }
  const kept = { ...said, parts: answer.soFar().parts }
  if (isStopped) return { ...kept, status: 'stopped' }
  const notRun = answer.soFar().arriving.length > 0 ? ' What it was about to call was not run.' : ''
  const ended = (status: 'stopped' | 'failed', code: Failure['code'], message: string): Partial<Message> => ({
    ...kept,
    status,
    failure: { code, message: message + notRun },
  })
  if (failure) return { ...kept, status: 'failed', failure: { ...failure.failure, message: failure.message + notRun } }
  switch (finish?.reason.unified) {
    case 'stop':
    case 'tool-calls':
    case 'other':
      return { ...said, parts: answer.parts(), status: 'done' }
    case 'length':
      return ended(
        'stopped',
        'stopped',
        'The answer reached the limit of what the model may say at once. Continue to read on.',
      )
    case 'content-filter':
      return ended(
        'failed',
        'refused-by-model',
        'The model declined to say more. Say it differently, or choose another model.',
      )
    case 'error':
    case 'interrupted':
    case undefined:
      return ended(
        'failed',
        'no-network',
        'The connection to the model broke off. What had arrived is kept; continue when you like.',
      )
  }
}
