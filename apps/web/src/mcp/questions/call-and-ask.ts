import { type CallToolResult, type InputRound, isMCPError, type MCPClient, type RequestOptions } from '@switchboard/mcp'
import { Failed } from '#domain/failure.ts'
import type { Question } from '#domain/question.ts'
import type { Server } from '#domain/server.ts'
import type { QuestionNeeds } from './needs.ts'
import type { WatchedTransport } from './call-streams.ts'
import { type AskingCall, beginCall } from './questioner.ts'
import { forgetSuspended, type Suspended } from './suspended.ts'
import { answersTo, takeRound } from './take-round.ts'

interface Asking {
  client: MCPClient
  transport: WatchedTransport
  server: Server
  questions: QuestionNeeds
  now: () => number
}

/** What a call that was made came to: its result, or a task that brings one. */
export type Begun = { result: CallToolResult } | { followed: Promise<void> }

/** One look at a stream that another engine left; some servers bring what is new only to who comes after it. */
const LOOK_MS = 4_000

/** Waits for the result of a call that another engine has sent: it is only read, so it may be looked for again and again. */
async function readOn(
  client: MCPClient,
  made: { name: string; arguments: Record<string, unknown> },
  options: RequestOptions,
  { name, timeoutSeconds }: Server,
  { session }: Extract<Suspended, { era: 'sessions' }>,
): Promise<CallToolResult> {
  const end = performance.now() + Math.max(timeoutSeconds * 1000, 2 * LOOK_MS)
  for (;;) {
    // A new one was begun in its place, which knows nothing of this call.
    if (client.getSessionId() !== session.sessionId)
      throw new Failed(
        'outcome-unknown',
        `${name} has ended the session in which it waited for your answer. ${made.name} may have run: check before you run it again.`,
      )
    try {
      return await client.callTool({ ...made, options: { ...options, timeout: LOOK_MS } })
    } catch (error) {
      if (!isMCPError(error) || !error.isTimeout() || performance.now() > end) throw error
    }
  }
}

const needsSignIn = (error: unknown): boolean =>
  error instanceof Failed
    ? error.failure.code === 'sign-in-needed'
    : isMCPError(error) && (error.reason === 'unauthorized' || error.statusCode === 403)

/**
 * Makes a call, or goes on with one, and brings what the server asks in between to the user: on the connection where it waits
 * there, else by letting the call wait as `asking`.
 */
export async function callAndAsk(
  { client, transport, server, questions, now }: Asking,
  call: AskingCall,
  made: { name: string; arguments: Record<string, unknown> },
  options: RequestOptions,
  suspended: Suspended | undefined,
  /** Makes the call. */
  begin: (options: RequestOptions) => Promise<Begun>,
): Promise<Begun | { questions: Question[] }> {
  const round = suspended?.era === 'stateless' ? suspended : undefined
  let answers = round && (await answersTo(questions, call, round))
  const surroundings = { client, transport, server, needs: questions, now }
  const end = beginCall(surroundings, call, made.arguments, suspended?.era === 'sessions' ? suspended : undefined)
  /** What was put away is of no use once the call is over. */
  let isOver = true
  try {
    for (let rounds = (round?.rounds ?? 0) + 1; ; rounds += 1) {
      let asked: InputRound | undefined
      const onInputRequired = (given: InputRound): never => {
        asked = given
        throw new Error('The server asks first.')
      }
      try {
        const own = { ...options, rounds: { onInputRequired, answers } }
        if (suspended?.era === 'sessions') return { result: await readOn(client, made, own, server, suspended) }
        return await begin(own)
      } catch (error) {
        if (!asked) throw error
      }
      const taken = await takeRound({ needs: questions, server, tool: made.name, now }, call, asked, rounds)
      if ('questions' in taken) {
        isOver = false
        return taken
      }
      answers = taken.answers
    }
  } catch (error) {
    // Who has to sign in first goes on with the same answers after that.
    if (needsSignIn(error)) isOver = false
    throw error
  } finally {
    const isPutAway = end() || suspended !== undefined
    if (isOver && isPutAway) await forgetSuspended(questions, call).catch(() => {})
  }
}
