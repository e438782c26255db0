import { isMCPError } from '@switchboard/mcp'
import type { Failed } from '#domain/failure.ts'
import type { Server } from '#domain/server.ts'
import type { TaskEnd } from '#domain/task.ts'

type End = Exclude<TaskEnd, { status: 'completed' }>

const LEFT = 'Nobody can tell what became of it: look before you run it again.'

/**
 * What a task that brought no result ended in; undefined where it may go on, and only we cannot look now. `failed` is the same
 * error in whole sentences, without secrets.
 */
export function judgeEnd(
  error: unknown,
  failed: Failed,
  tool: string,
  { name }: Pick<Server, 'name'>,
): End | undefined {
  if (!isMCPError(error)) return undefined
  const { message, failure } = failed
  switch (error.reason) {
    case 'cancelled':
      return ended('cancelled', 'stopped', `${name} has stopped ${tool}. What it had done until then stays done.`)
    case 'expired':
      return ended('expired', 'outcome-unknown', `${name} has forgotten the task of ${tool} and its result. ${LEFT}`)
    case 'rpc':
      // Asked about a task it knows nothing of, or in a way that it refuses: no look will succeed.
      if (error.task) return ended('left', 'outcome-unknown', `${message} ${LEFT}`)
      return { status: 'failed', failure: { ...failure, code: 'tool-failed' } }
    case 'network':
    case 'timeout':
    case 'closed':
    case 'http':
    case 'unauthorized':
    case 'session-expired':
      return undefined
    case 'redirect':
    case 'protocol':
      // Perhaps it was not the server that answered: a hotel, a proxy. A lost look is no lost task.
      if (error.task) return undefined
      return ended('left', 'outcome-unknown', `${message} ${LEFT}`)
    case 'limit':
    case 'too-large':
      return ended('left', 'outcome-unknown', `${message} ${LEFT}`)
  }
}

const ended = (status: End['status'], code: End['failure']['code'], message: string): End => ({
  status,
  failure: { code, message },
})
