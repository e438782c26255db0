import { callDigest } from '#domain/call-digest.ts'
import { Failed, failureOf } from '#domain/failure.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { createLatestWrite } from '#lib/latest-write.ts'
import type { AskedOutcome, TaskOutcome, ToolOutcome, ToolSource, TurnStorage } from './needs.ts'
import { untilAborted } from './until-aborted.ts'

export interface ExecutionNeeds {
  storage: Pick<TurnStorage, 'call' | 'changeCall' | 'ask' | 'questionsOf' | 'gpt'>
  tools: Pick<ToolSource, 'call' | 'canSignIn' | 'leave'>
  now: () => number
  /** Progress is stored at most this often. */
  progressEveryMs: number
}

const LONGEST_PROGRESS_MESSAGE = 500

/**
 * The one place where a tool runs. The call is written down as running before anything is sent; what is sent is what lies in
 * storage then, if it is what was approved. Whoever settles it first has settled it.
 */
export async function executeCall(needs: ExecutionNeeds, id: string, signal: AbortSignal): Promise<void> {
  const { storage, tools, now } = needs
  if (!(await storage.changeCall(id, ['pending'], { status: 'running', startedAt: now() }))) return
  const call = await storage.call(id)
  if (!call) return
  const progress = createLatestWrite(
    (latest: NonNullable<ToolCall['progress']>) => storage.changeCall(id, ['running'], { progress: latest }),
    needs.progressEveryMs,
  )
  const settled = await outcome(call)
  await progress.end()
  // From here on it is written down, and settled, by whoever looks at the task.
  if ('taskId' in settled) return
  if ('questions' in settled) {
    // Cancelled while it was asked: what it would have gone on with is of no use.
    if (!(await storage.ask(id, settled.questions))) await tools.leave?.(call)
    return
  }
  await storage.changeCall(id, ['running'], { ...settled, completedAt: now() }).catch((error: unknown) => {
    if (!settled.content) throw error
    return storage.changeCall(id, ['running'], { ...withoutResult(call, error), completedAt: now() })
  })

  async function outcome(approved: ToolCall): Promise<Settled | AskedOutcome | TaskOutcome> {
    if (approved.approval?.state !== 'approved' || approved.approval.digest !== (await callDigest(approved)))
      return failedCall(new Failed('bad-arguments', 'This call is not the one that was approved, so it was not made.'))
    if (signal.aborted) return CANCELLED
    try {
      const onProgress = (said: NonNullable<ToolCall['progress']>) => progress.push(bounded(said))
      const asTask = await taskWishes(approved)
      const answer = await untilAborted(tools.call(approved, { signal, onProgress, asTask }), signal)
      return 'questions' in answer || 'taskId' in answer ? answer : answeredCall(approved, answer)
    } catch (error) {
      if (signal.aborted) return CANCELLED
      return (await signInFirst(approved, error)) ?? failedCall(error)
    }
  }

  /** What its GPT wants of tasks; whoever calls by hand has nothing against them. */
  async function taskWishes({ gptId }: ToolCall): Promise<{ pollMs: number } | undefined> {
    const { asyncTasks, pollSeconds } = (await storage.gpt(gptId))?.tools ?? { asyncTasks: true, pollSeconds: 5 }
    return asyncTasks ? { pollMs: pollSeconds * 1000 } : undefined
  }

  /** Refused for want of a sign-in, nothing has run: the call waits for one, but not for a second. */
  async function signInFirst(refused: ToolCall, error: unknown): Promise<AskedOutcome | undefined> {
    const { code, message } = failureOf(error)
    if (code !== 'sign-in-needed' || !(await tools.canSignIn?.(refused.serverId))) return undefined
    const questionId = `${id}:sign-in`
    if ((await storage.questionsOf(id)).some((question) => question.id === questionId)) return undefined
    const { conversationId, serverId, serverName } = refused
    const whose = { id: questionId, toolCallId: id, conversationId, serverId, serverName }
    return { questions: [{ ...whose, kind: 'sign-in', lasts: true, state: 'open', message, createdAt: now() }] }
  }
}

/** What is written of a call that is over; the id of a task is none of it. */
type Settled = Omit<Partial<ToolCall>, 'taskId'>

export const CANCELLED: Settled = {
  status: 'cancelled',
  error: { code: 'stopped', message: 'You cancelled this call. If it had begun, it may have taken effect.' },
}

export function answeredCall(
  call: ToolCall,
  { content, structuredContent, isError, size, failure }: ToolOutcome,
): Settled {
  const result = { content, isError, size, ...(structuredContent === undefined ? {} : { structuredContent }) }
  if (failure) return { ...result, status: 'error', isError: true, error: failure }
  if (!isError) return { ...result, status: 'success' }
  const message = `${call.serverName} reports that ${call.title || call.toolName} failed.`
  return { ...result, status: 'error', error: { code: 'tool-failed', message } }
}

/** A call that ran, and whose result is too much for storage: that much still fits. */
export function withoutResult(call: ToolCall, error: unknown): Settled {
  const message = `${call.title || call.toolName} ran, and its result could not be stored. ${failureOf(error).message}`
  return { status: 'error', isError: true, error: { code: 'storage', message } }
}

function failedCall(error: unknown): Settled {
  const failure = failureOf(error)
  return { status: failure.code === 'outcome-unknown' ? 'unknown' : 'error', isError: true, error: failure }
}

function bounded({ progress, total, message }: NonNullable<ToolCall['progress']>): NonNullable<ToolCall['progress']> {
  return {
    progress,
    ...(total === undefined ? {} : { total }),
    ...(message === undefined ? {} : { message: message.slice(0, LONGEST_PROGRESS_MESSAGE) }),
  }
}
