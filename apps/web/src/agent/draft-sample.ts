import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { Failed } from '#domain/failure.ts'
import type { Gpt } from '#domain/gpt.ts'
import type { Question } from '#domain/question.ts'
import type { Models } from './models.ts'
import type { TurnStorage } from './needs.ts'

export interface SampleNeeds {
  storage: Pick<TurnStorage, 'question' | 'changeQuestion' | 'conversation' | 'gpt'>
  models: Pick<Models, 'modelOf'>
  /** Whose model answers where the call belongs to no conversation. */
  defaultGpt: () => Promise<Gpt | undefined>
  /** A model that says nothing for so long has failed. */
  silenceMs: number
}

const LONGEST_ANSWER = 50_000

/**
 * Lets the model answer what a server wants read, without tools and in few words; kept with the question, for the user to send or
 * not. `seen` is the answer that was on the screen.
 */
export async function draftSample(needs: SampleNeeds, questionId: string, seen?: string): Promise<void> {
  const { storage } = needs
  const question = await storage.question(questionId)
  const { sampling } = question ?? {}
  if (!question || !sampling || question.state !== 'open')
    throw new Failed('not-found', 'This question was answered already, or nobody waits for the answer any more.')
  // A newer one is there, and about to be shown: who has not seen it pays for no other.
  if (sampling.answer?.text !== seen) return
  const gpt = await gptOf(needs, question)
  const { model, name, explain } = await needs.models.modelOf(gpt.model)
  const silence = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(new Failed('timeout', `${name} said nothing in time.`)), needs.silenceMs)
  }
  let text = ''
  try {
    wait()
    const { stream } = await model.doStream({
      prompt: promptOf(sampling),
      maxOutputTokens: sampling.maxTokens,
      abortSignal: silence.signal,
    })
    for await (const part of stream) {
      wait()
      if (part.type === 'error') throw part.error
      if (part.type === 'text-delta') text += part.delta
      if (text.length > LONGEST_ANSWER) break
    }
  } catch (error) {
    throw silence.signal.aborted ? (silence.signal.reason as Failed) : explain(error)
  } finally {
    clearTimeout(timer)
  }
  const answer = { text: text.slice(0, LONGEST_ANSWER), model: name }
  if (!(await storage.changeQuestion(questionId, { sampling: { ...sampling, answer } })))
    throw new Failed('not-found', 'Nobody waits for this answer any more.')
}

async function gptOf({ storage, defaultGpt }: SampleNeeds, { conversationId }: Question): Promise<Gpt> {
  const conversation = conversationId === '' ? undefined : await storage.conversation(conversationId)
  const gpt = conversation ? await storage.gpt(conversation.gptId) : await defaultGpt()
  if (!gpt) throw new Failed('no-model', 'There is no GPT whose model could answer. Make one first.')
  return gpt
}

const promptOf = ({ system, messages }: NonNullable<Question['sampling']>): LanguageModelV4Prompt => [
  ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
  ...messages.map(({ role, text }) => ({ role, content: [{ type: 'text' as const, text }] })),
]
