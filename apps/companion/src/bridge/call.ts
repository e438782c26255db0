import type { JsonRpcMessage, JsonRpcResponse, RequestId } from '@switchboard/mcp'
import type { Reply } from './reply.ts'

/** A request of a client and everybody who waits for its answer: one, or two where a browser sent it twice. */
export interface Call {
  readonly id: RequestId
  readonly answer: JsonRpcResponse | undefined
  /** Whether somebody is there. */
  readonly isHeard: boolean
  attach(reply: Reply): void
  begin(): void
  tell(message: JsonRpcMessage): void
  settle(answer: JsonRpcResponse, status?: number): void
  drop(): void
  /** Called once, when nobody waits any more and nobody came back. */
  onabandoned: () => void
}

export function createCall(id: RequestId, returnMs: number, onsettled: (status: number) => void = () => {}): Call {
  const replies = new Set<Reply>()
  let answer: JsonRpcResponse | undefined
  let begun = false
  const each = (deed: (reply: Reply) => void): void => {
    for (const reply of replies) deed(reply)
  }
  const leave = (reply: Reply): void => {
    if (!replies.delete(reply) || replies.size > 0 || answer) return
    setTimeout(() => {
      if (replies.size === 0 && !answer) call.onabandoned()
    }, returnMs).unref()
  }
  const call: Call = {
    id,
    get answer() {
      return answer
    },
    get isHeard() {
      return replies.size > 0
    },
    onabandoned: () => {},
    attach(reply) {
      if (answer) return reply.finish(answer)
      replies.add(reply)
      if (begun) reply.begin()
      reply.gone.addEventListener('abort', () => leave(reply), { once: true })
      if (reply.gone.aborted) leave(reply)
    },
    begin() {
      begun = true
      each((reply) => reply.begin())
    },
    tell: (message) => each((reply) => reply.tell(message)),
    settle(given, status = 200) {
      if (answer) return
      answer = given
      each((reply) => reply.finish(given, status))
      replies.clear()
      onsettled(status)
    },
    drop() {
      each((reply) => reply.drop())
      replies.clear()
    },
  }
  return call
}
