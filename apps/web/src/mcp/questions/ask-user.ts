import { type Inquiry, isMCPError, type MCPClient } from '@switchboard/mcp'
import type { Question } from '#domain/question.ts'
import { answerOf } from './answer-of.ts'
import { HOUR_MS, MOST_KEPT, whyRefused } from './judge-question.ts'
import { type CallUnderWay, type Questioner, questionerOf } from './questioner.ts'
import { type ReadQuestion, readQuestion } from './read-question.ts'
import { suspend } from './suspended.ts'

interface Asked {
  method: string
  params: Record<string, unknown>
}

const NOBODY = 'There is no call under way that this question could belong to'
/** No honest name is longer. */
const LONGEST_KEY = 500
const NO_MODEL = 'The user lets no model answer this'

/** Puts a question that came on a connection to the user, and waits for the answer as long as the call waits. */
export async function askUser(
  client: MCPClient | undefined,
  request: Asked,
  inquiry: Inquiry,
): Promise<Record<string, unknown>> {
  const questioner = client && questionerOf(client)
  const underWay = questioner && whose(questioner, request, inquiry)
  if (!underWay) {
    if (request.method === 'elicitation/create') return { action: 'cancel' }
    throw new Error(NOBODY)
  }
  const begun = underWay.queue.then(() =>
    begin(questioner, underWay, request, inquiry.task?.key?.slice(0, LONGEST_KEY)),
  )
  underWay.queue = begun.catch(() => {})
  const questionId = await begun
  const { visits, needs } = questioner
  const { elicitationId } = request.params
  if (typeof elicitationId === 'string') visits.set(elicitationId, questionId)
  const signal = AbortSignal.any([inquiry.signal, underWay.over.signal])
  try {
    const answered = await needs.untilAnswered(questionId, signal)
    const answer = answered && answerOf(answered)
    if (!answer) throw new Error(NO_MODEL)
    // A task asks again after a reload: what it was told is no answer to the next question in the same words. Where its questions
    // have names that cannot happen, and an answer that did not arrive is given again.
    if (underWay.taskId !== undefined && inquiry.task?.key === undefined) await needs.noteTold(questionId)
    return answer
  } catch (error) {
    // Taken back by the server, or its call is over: nobody waits for the answer.
    if (signal.aborted && !isLeft(inquiry)) await needs.changeQuestion(questionId, { state: 'ended' }).catch(() => {})
    throw error
  } finally {
    if (typeof elicitationId === 'string') visits.delete(elicitationId)
  }
}

/** Only we have left the task, which waits for the answer: whoever comes back to it brings it. */
const isLeft = ({ signal: { reason } }: Inquiry): boolean => isMCPError(reason) && reason.reason === 'closed'

/** The call that a question belongs to: the task that it names, the one on whose stream it came, else the last that was begun. */
function whose({ streams, underWay }: Questioner, { params }: Asked, { task }: Inquiry): CallUnderWay | undefined {
  if (task) return [...underWay.values()].find(({ taskId }) => taskId === task.id)
  const toolCallId = streams.asked(params)?.toolCallId
  return (toolCallId !== undefined && underWay.get(toolCallId)) || [...underWay.values()].at(-1)
}

/** Keeps the question, for the user or as refused. */
async function begin(
  questioner: Questioner,
  underWay: CallUnderWay,
  request: Asked,
  key: string | undefined,
): Promise<string> {
  const { needs, server, now, kept } = questioner
  const { call } = underWay
  const known = kept.get(request.params)
  if (known !== undefined) return known
  const read = readQuestion(request.method, request.params)
  if ('problem' in read) throw new Error(read.problem)
  const before = await needs.questionsOf(call.id)
  const isKnown = (one: Question): boolean =>
    key === undefined ? isSame(one, read) : one.taskKey === key && one.state !== 'ended'
  const asked = underWay.taskId === undefined ? undefined : before.find(isKnown)
  if (asked) return asked.id
  const ofServer = await needs.questionsSince(call.serverId, now() - HOUR_MS)
  const refused = whyRefused(read, { ofCall: before, ofServer })
  const question: Question = {
    ...read,
    id: crypto.randomUUID(),
    toolCallId: call.id,
    conversationId: call.conversationId,
    serverId: call.serverId,
    serverName: server.name,
    // A task waits at its server, whoever looks at it.
    lasts: underWay.taskId !== undefined,
    ...(underWay.taskId !== undefined && { ofTask: true }),
    ...(key !== undefined && { taskKey: key }),
    state: refused === undefined ? 'open' : 'declined',
    ...(refused !== undefined && { refused, answeredAt: now() }),
    createdAt: now(),
  }
  if (
    refused === undefined &&
    underWay.taskId === undefined &&
    (await keepPlace(questioner, underWay, request, question.id))
  )
    question.resumable = true
  // A question that the user sees can be answered after a reload too: some servers do not ask twice.
  await underWay.keep?.()
  if (before.length < MOST_KEPT) await needs.putQuestions(call.id, [question])
  if (refused !== undefined && (before.length >= MOST_KEPT || question.kind === 'sampling')) throw new Error(refused)
  return question.id
}

/** A question that the user was asked before a reload, and whose answer the server has not heard. */
const isSame = (question: Question, read: ReadQuestion): boolean =>
  question.isTold !== true &&
  question.state !== 'ended' &&
  question.kind === read.kind &&
  question.message === read.message &&
  question.url === read.url &&
  JSON.stringify(question.schema) === JSON.stringify(read.schema) &&
  JSON.stringify(question.sampling?.messages) === JSON.stringify(read.sampling?.messages)

/** Writes down where the call can be picked up after a reload, before anybody is asked. False where it cannot. */
async function keepPlace(
  { needs, client, streams }: Questioner,
  { call, asked }: CallUnderWay,
  { method, params }: Asked,
  questionId: string,
): Promise<boolean> {
  const place = streams.placeOf(call.id)
  const id = streams.asked(params)?.id
  const session = client.saveSession()
  if (!place || id === undefined || session?.sessionId === undefined) return false
  asked.push({ questionId, id, method, params })
  try {
    await suspend(needs, call, { era: 'sessions', session, place, asked: [...asked] })
    return true
  } catch {
    // A locked vault keeps nothing; then the question ends with this engine.
    return false
  }
}
