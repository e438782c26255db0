import { Failed } from '#domain/failure.ts'
import type { Question } from '#domain/question.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import type { TurnStorage } from './needs.ts'

export interface QuestionAnswer {
  questionId: string
  action: 'accept' | 'decline' | 'cancel'
  /** What was entered into the form. */
  content?: Record<string, unknown>
  /** The answer of the model that was on the screen: no other is sent. */
  seen?: string | undefined
}

export interface QuestionNeeds {
  storage: Pick<TurnStorage, 'question' | 'settleQuestion'>
  now: () => number
}

const STATES = { accept: 'accepted', decline: 'declined', cancel: 'cancelled' } as const
/** Of JSON text; no person types so much, and all of it is stored. */
const LONGEST_ANSWER = 200_000

/** Stores what the user says to a question. It is answered once: whoever comes second is told so. */
export async function answerQuestion(
  { storage, now }: QuestionNeeds,
  { questionId, action, content, seen }: QuestionAnswer,
): Promise<Question> {
  const question = await storage.question(questionId)
  if (!question) throw new Failed('not-found', 'This question is not there any more.')
  const at = now()
  const answer = action === 'accept' && question.kind === 'form' ? (content ?? {}) : undefined
  if (answer && JSON.stringify(answer).length > LONGEST_ANSWER)
    throw new Failed('bad-input', 'The answer is too long to be sent. Shorten it.')
  const isSample = action === 'accept' && question.kind === 'sampling'
  const { sampling } = question
  if (isSample && !sampling?.answer)
    throw new Failed('bad-input', 'There is no answer of the model yet. Let it answer first.')
  if (isSample && sampling?.answer?.text !== seen)
    throw new Failed('bad-input', 'The answer has changed meanwhile. Look at it again, then send it.')
  // With what was compared: an answer that is stored from now on was seen by nobody.
  const change = { state: STATES[action], answeredAt: at, ...(answer && { answer }), ...(isSample && { sampling }) }
  if (question.state !== 'open' || !(await storage.settleQuestion(questionId, change, endOf(question, action, at))))
    throw new Failed('not-found', 'This question was answered already, or nobody waits for the answer any more.')
  return question
}

/** What becomes of a call that cannot go on with this answer; undefined where it can. */
function endOf({ kind, message, serverName }: Question, action: QuestionAnswer['action'], completedAt: number) {
  if (action === 'accept') return undefined
  if (kind === 'sign-in')
    return {
      status: 'error',
      isError: true,
      error: { code: 'sign-in-needed', message },
      completedAt,
    } satisfies Partial<ToolCall>
  // A server without sessions has no words for it: it would wait for an answer that says nothing.
  if (kind === 'sampling')
    return {
      status: 'cancelled',
      error: { code: 'stopped', message: `You let no model answer ${serverName}, so this call could not go on.` },
      completedAt,
    } satisfies Partial<ToolCall>
  return undefined
}
