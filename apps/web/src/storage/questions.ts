import { type Question, questionSchema } from '#domain/question.ts'
import { type ToolCall, toolCallSchema } from '#domain/tool-call.ts'
import { checked } from './checked.ts'
import type { Database } from './db.ts'
import { reading, writing } from './in-transaction.ts'
import { observe } from './observe.ts'

const WHAT = 'question'
const check = (question: Question): Question => checked(questionSchema, question, WHAT)

/** What servers want of the user in the middle of a call. */
export function createQuestions(db: Database) {
  const tables = [db.questions, db.mcpToolCalls]

  return {
    question: (id: string): Promise<Question | undefined> =>
      reading(db, [db.questions], async () => db.questions.get(id)),

    questionsOf: (toolCallId: string): Promise<Question[]> =>
      reading(db, [db.questions], async () => db.questions.where('toolCallId').equals(toolCallId).toArray()),

    questionsSince: (serverId: string, since: number): Promise<Question[]> =>
      reading(db, [db.questions], async () =>
        db.questions
          .where('serverId')
          .equals(serverId)
          .filter(({ createdAt }) => createdAt >= since)
          .toArray(),
      ),

    /** Those for which a sign-in at this server is the answer. */
    openSignIns: (serverId: string): Promise<Question[]> =>
      reading(db, [db.questions], async () =>
        db.questions
          .where('serverId')
          .equals(serverId)
          .filter(({ kind, state }) => kind === 'sign-in' && state === 'open')
          .toArray(),
      ),

    /** Keeps questions of a call that waits for them on its connection. False where it does not run any more. */
    putQuestions: (toolCallId: string, questions: readonly Question[]): Promise<boolean> =>
      writing(db, tables, async () => {
        const status = (await db.mcpToolCalls.get(toolCallId))?.status
        if (status !== 'running' && status !== 'task') return false
        await db.questions.bulkPut(questions.map(check))
        return true
      }),

    /** Keeps questions, and with them the call that waits until they are answered. False where it does not run any more. */
    ask: (toolCallId: string, questions: readonly Question[]): Promise<boolean> =>
      writing(db, tables, async () => {
        const call = await db.mcpToolCalls.get(toolCallId)
        if (call?.status !== 'running') return false
        await db.questions.bulkPut(questions.map(check))
        await db.mcpToolCalls.put({ ...call, status: 'asking' })
        return true
      }),

    /** Changes a question while it is open. False where another was faster. */
    changeQuestion: (id: string, change: Partial<Question>): Promise<boolean> =>
      writing(db, [db.questions], async () => {
        const found = await db.questions.get(id)
        if (found?.state !== 'open') return false
        await db.questions.put(check({ ...found, ...change, id }))
        return true
      }),

    /** The server has been given the answer. */
    noteTold: (id: string): Promise<void> =>
      writing(db, [db.questions], async () => {
        const found = await db.questions.get(id)
        if (found) await db.questions.put({ ...found, isTold: true })
      }),

    /**
     * Keeps the answer to a question that is open. Where it was the last that an asking call waited for, the call changes
     * with it: it is to go on, or whatever `end` says. False where another was faster.
     */
    settleQuestion: (id: string, change: Partial<Question>, end?: Partial<ToolCall>): Promise<boolean> =>
      writing(db, tables, async () => {
        const found = await db.questions.get(id)
        if (found?.state !== 'open') return false
        const { toolCallId } = found
        await db.questions.put(check({ ...found, ...change, id }))
        const call = await db.mcpToolCalls.get(toolCallId)
        if (call?.status !== 'asking') return true
        const ofCall = db.questions.where('toolCallId').equals(toolCallId)
        const open = await ofCall.filter(({ state }) => state === 'open').toArray()
        if (end) await db.questions.bulkPut(open.map((one) => ({ ...one, state: 'ended' })))
        else if (open.length > 0) return true
        await db.mcpToolCalls.put(checked(toolCallSchema, { ...call, ...(end ?? { status: 'pending' }) }, 'tool call'))
        return true
      }),

    /** The call is over, or was: nobody waits for these any more. */
    endQuestions: (toolCallId: string, state: 'cancelled' | 'ended'): Promise<void> =>
      writing(db, [db.questions], async () => {
        await db.questions
          .where('toolCallId')
          .equals(toolCallId)
          .filter((question) => question.state === 'open')
          .modify({ state })
      }),

    /** Resolves with the question once it is not open any more, whoever answered it, in whichever tab. Rejects with the signal's reason. */
    untilAnswered: (id: string, signal: AbortSignal): Promise<Question | undefined> =>
      new Promise((resolve, reject) => {
        const settle = (deed: () => void): void => {
          end()
          signal.removeEventListener('abort', leave)
          deed()
        }
        const leave = (): void => settle(() => reject(signal.reason as Error))
        const end = observe(() => db.questions.get(id), {
          next: (question) => question?.state !== 'open' && settle(() => resolve(question)),
          error: (error) => settle(() => reject(error as Error)),
        })
        signal.addEventListener('abort', leave)
        if (signal.aborted) leave()
      }),
  }
}
