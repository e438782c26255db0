import type { Message } from './message.ts'
import type { ToolCall } from './tool-call.ts'

export type NextStep = 'call-model' | 'run-tools' | 'wait' | 'done'

const isWaiting = ({ status, approval }: ToolCall) => status === 'pending' && approval?.state === 'requested'

/** Calls of unknown outcome that nobody has made again. */
const openOutcomes = (calls: readonly ToolCall[]) =>
  calls.filter(({ id, status }) => status === 'unknown' && !calls.some(({ repeats }) => repeats === id))

/** A message of the app about a task that has ended; nobody typed it. */
export const bringsTask = ({ parts }: Pick<Message, 'parts'>): boolean => parts.some(({ type }) => type === 'task')

/**
 * What a turn does next, from what is stored: the last message that is shown, and its calls.
 * Nothing runs until every question about this message is answered; nothing goes to the model until every call has ended, or goes
 * on as a task.
 * `goOn` is the user's wish to continue what was stopped, what failed, and what ended in an unknown outcome.
 */
export function nextStep(last: Message | undefined, calls: readonly ToolCall[], goOn = false): NextStep {
  if (!last) return 'done'
  if (last.role === 'user') return bringsTask(last) && openOutcomes(calls).length > 0 && !goOn ? 'wait' : 'call-model'
  if (last.status !== 'done') return goOn && last.status !== 'streaming' ? 'call-model' : 'done'
  if (calls.length === 0) return 'done'
  if (calls.some(isWaiting)) return 'wait'
  if (calls.some(({ status }) => status === 'pending')) return 'run-tools'
  if (calls.some(({ status }) => status === 'running' || status === 'asking')) return 'wait'
  // A model that hears of an unknown outcome tends to call once more: whether that is safe, only the user can say.
  return openOutcomes(calls).length > 0 && !goOn ? 'wait' : 'call-model'
}
