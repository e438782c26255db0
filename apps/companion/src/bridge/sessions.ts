import { randomUUID } from 'node:crypto'
import type { JsonRpcMessage, JsonRpcRequest, JsonRpcResponse, RequestId } from '@switchboard/mcp'
import { json } from '../answers.ts'
import type { Call } from './call.ts'
import type { Child } from './child.ts'
import { errorAnswer, isRequest } from './json-rpc.ts'
import type { Ledger } from './ledger.ts'
import { metaOf } from './link.ts'
import { Refused } from './refused.ts'
import { createReply, type Reply } from './reply.ts'
import { revisionHeader } from './revisions.ts'
import type { Supervisor } from './supervisor.ts'

export const SESSION_HEADER = 'mcp-session-id'
/** What a program says while nobody listens. */
const MAX_UNHEARD = 200

interface Running {
  readonly call: Call
  readonly token: unknown
  readonly abort: AbortController
}

/** A client and a program of its own: every message passes as it is. */
interface Session {
  readonly name: string
  readonly child: Child
  readonly running: Map<RequestId, Running>
  readonly unheard: JsonRpcMessage[]
  listening: Reply | undefined
}

/** The clients that begin with `initialize`. */
export interface Sessions {
  answer(name: string, message: JsonRpcMessage, id: string | null, gone: AbortSignal): Promise<Response>
  listen(name: string, id: string, gone: AbortSignal): Promise<Response>
  end(name: string, id: string): Promise<Response>
}

export function createSessions(supervisor: Supervisor, ledger: Ledger): Sessions {
  const sessions = new Map<string, Session>()
  const find = (name: string, id: string | null): Session => {
    const session = id === null ? undefined : sessions.get(id)
    if (session?.name === name) return session
    throw new Refused(
      id === null ? 400 : 404,
      id === null ? 'This needs a session: begin with initialize.' : 'This session is over.',
    )
  }

  const begin = async (name: string, request: JsonRpcRequest, gone: AbortSignal): Promise<Response> => {
    const id = randomUUID()
    const child = await supervisor.start(name)
    const session: Session = { name, child, running: new Map(), unheard: [], listening: undefined }
    // A client that left without a word is waited for no longer than any other that is idle.
    child.isBusy = () =>
      session.listening !== undefined || [...session.running.values()].some(({ call }) => call.isHeard)
    child.onmessage = (message) => hear(session, message)
    child.onend = () => {
      sessions.delete(id)
      session.listening?.drop()
    }
    sessions.set(id, session)
    const { call } = ledger.enter(name, request)
    const reply = createReply(gone, () => ({ [SESSION_HEADER]: id, ...revisionHeader(agreedIn(call.answer)) }))
    call.attach(reply)
    call.onabandoned = () => {
      sessions.delete(id)
      void child.close()
    }
    run(session, call, request)
    const response = await reply.response
    if (call.answer && 'result' in call.answer) supervisor.praise(name, child)
    else {
      sessions.delete(id)
      void child.close()
    }
    return response
  }

  return {
    async answer(name, message, id, gone) {
      if (isRequest(message) && message.method === 'initialize' && id === null) return begin(name, message, gone)
      const session = find(name, id)
      if (isRequest(message)) return ask(session, ledger, message, gone)
      if ('method' in message && message.method === 'notifications/cancelled')
        cancel(session, message.params?.['requestId'])
      else session.child.send(message)
      return new Response(null, { status: 202 })
    },
    async listen(name, id, gone) {
      const session = find(name, id)
      const reply = createReply(gone)
      // One stream: a client that opens another has lost the first.
      session.listening?.drop()
      session.listening = reply
      gone.addEventListener('abort', () => {
        if (session.listening === reply) session.listening = undefined
      })
      reply.begin()
      for (const message of session.unheard.splice(0)) reply.tell(message)
      return reply.response
    },
    async end(name, id) {
      const session = find(name, id)
      sessions.delete(id)
      void session.child.close()
      return new Response(null, { status: 204 })
    },
  }
}

/** The protocol version in the answer to `initialize`. */
const agreedIn = (answer: JsonRpcResponse | undefined): unknown =>
  answer && 'result' in answer ? answer.result['protocolVersion'] : undefined

async function ask(session: Session, ledger: Ledger, request: JsonRpcRequest, gone: AbortSignal): Promise<Response> {
  const { call, isNew } = ledger.enter(session.name, request)
  if (isNew && session.running.has(request.id)) return json(errorAnswer(request.id, -32600, 'This id is in use'), 400)
  const reply = createReply(gone)
  call.attach(reply)
  if (isNew) {
    call.begin()
    run(session, call, request)
  }
  return reply.response
}

function run({ running, child }: Session, call: Call, request: JsonRpcRequest): void {
  const abort = new AbortController()
  running.set(request.id, { call, token: metaOf(request)['progressToken'], abort })
  child.send(request, abort.signal)
}

/** The program is told by its transport, and nobody waits any more. */
function cancel({ running }: Session, requestId: unknown): void {
  const found = running.get(requestId as RequestId)
  if (!found) return
  running.delete(requestId as RequestId)
  found.abort.abort()
  found.call.settle(errorAnswer(found.call.id, -32603, 'It was cancelled'))
}

/** What the program says, to whom it concerns. */
function hear(session: Session, message: JsonRpcMessage): void {
  const { running, unheard, listening } = session
  if (!('method' in message)) {
    const found = running.get(message.id ?? '')
    running.delete(message.id ?? '')
    return found?.call.settle(message)
  }
  if (message.method === 'notifications/progress') {
    const token = message.params?.['progressToken']
    return [...running.values()].find((asked) => asked.token === token && token !== undefined)?.call.tell(message)
  }
  // Nothing ties a question to a call: any stream will do, its own first.
  if (listening) return listening.tell(message)
  const heard = [...running.values()].findLast(({ call }) => call.isHeard)
  if (heard) return heard.call.tell(message)
  unheard.push(message)
  if (unheard.length > MAX_UNHEARD) unheard.shift()
}
