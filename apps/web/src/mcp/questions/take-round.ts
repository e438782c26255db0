import type { InputRound } from '@switchboard/mcp'
import { Failed } from '#domain/failure.ts'
import type { Question } from '#domain/question.ts'
import type { Server } from '#domain/server.ts'
import { isObject } from '../judge-schema.ts'
import { answerOf } from './answer-of.ts'
import { HOUR_MS, MOST_KEPT, whyRefused } from './judge-question.ts'
import type { QuestionNeeds } from './needs.ts'
import type { AskingCall } from './questioner.ts'
import { readQuestion } from './read-question.ts'
import { type Suspended, suspend } from './suspended.ts'

/** More rounds of questions than any honest tool needs. */
const MOST_ROUNDS = 8
const MOST_AT_ONCE = 10

type Answers = { inputResponses: Record<string, unknown>; requestState?: unknown }

export interface RoundNeeds {
  needs: QuestionNeeds
  server: Pick<Server, 'name' | 'sampling'>
  tool: string
  now: () => number
}

/**
 * Takes a round of questions out of a call: what has to be asked is written down with all that the next round needs, and the call
 * waits; where nothing has to be asked, the answers are here.
 */
export async function takeRound(
  { needs, server, tool, now }: RoundNeeds,
  call: AskingCall,
  { inputRequests, requestState }: InputRound,
  rounds: number,
): Promise<{ questions: Question[] } | { answers: Answers }> {
  const asks = (what: string): Failed =>
    new Failed('protocol', `${tool} of ${server.name} asks ${what}. It cannot go on.`)
  if (rounds > MOST_ROUNDS) throw asks(`back over ${MOST_ROUNDS} times`)
  const asked = Object.entries(inputRequests)
  if (asked.length > MOST_AT_ONCE) throw asks(`${asked.length} things at once`)
  const before = await needs.questionsOf(call.id)
  const recent = await needs.questionsSince(call.serverId, now() - HOUR_MS)
  const questions: Question[] = []
  const keys: Record<string, string> = {}
  for (const [key, request] of asked) {
    const question = questionOf(request)
    questions.push(question)
    keys[question.id] = key
  }

  function questionOf(request: unknown): Question {
    const { method, params } = isObject(request) ? request : {}
    if (method !== 'elicitation/create' && !(method === 'sampling/createMessage' && server.sampling === true))
      throw asks(`for ${String(method).slice(0, 100)}, which is not offered to it`)
    const read = readQuestion(method, isObject(params) ? params : {})
    if ('problem' in read) throw asks(`something that nobody can be asked. ${read.problem}`)
    const refused = whyRefused(read, {
      ofCall: [...before, ...questions],
      ofServer: [...recent, ...questions],
    })
    if (refused !== undefined && read.kind === 'sampling') throw asks(`too much. ${refused}`)
    return {
      ...read,
      id: crypto.randomUUID(),
      toolCallId: call.id,
      conversationId: call.conversationId,
      serverId: call.serverId,
      serverName: server.name,
      lasts: true,
      state: refused === undefined ? 'open' : 'declined',
      ...(refused !== undefined && { refused, answeredAt: now() }),
      createdAt: now(),
    }
  }

  const state = requestState !== undefined && { requestState }
  if (questions.some((question) => question.state === 'open')) {
    // Before anybody can answer: an answer without it could not be sent.
    await suspend(needs, call, { era: 'stateless', rounds, keys, ...state })
    return { questions }
  }
  await needs.putQuestions(call.id, questions.slice(0, Math.max(0, MOST_KEPT - before.length)))
  return { answers: answersFrom(questions, keys, state) }
}

const answersFrom = (
  questions: readonly Question[],
  keys: Readonly<Record<string, string>>,
  state: false | { requestState: unknown },
): Answers => ({
  inputResponses: Object.fromEntries(
    questions.flatMap((question) => {
      const key = keys[question.id]
      const answer = answerOf(question)
      return key !== undefined && answer ? [[key, answer]] : []
    }),
  ),
  ...state,
})

/** What the user has answered to the round in which the call was suspended. */
export async function answersTo(
  needs: QuestionNeeds,
  call: AskingCall,
  { keys, requestState }: Extract<Suspended, { era: 'stateless' }>,
): Promise<Answers> {
  return answersFrom(await needs.questionsOf(call.id), keys, requestState !== undefined && { requestState })
}
