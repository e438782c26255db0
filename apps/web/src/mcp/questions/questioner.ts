import type { MCPClient } from '@switchboard/mcp'
import type { Server } from '#domain/server.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { type CallStreams, createCallStreams, type WatchedTransport } from './call-streams.ts'
import type { QuestionNeeds } from './needs.ts'
import type { AskedOnStream, Suspended } from './suspended.ts'

export type AskingCall = Pick<ToolCall, 'id' | 'serverId' | 'conversationId'>

/** A call that is under way on a connection. */
export interface CallUnderWay {
  call: AskingCall
  /** Aborted when it is over: nobody waits for its questions then. */
  over: AbortController
  /** Questions that were put to the user, as they came; for a reload. */
  asked: AskedOnStream[]
  /** What the server calls the task that it has become; its questions say so. */
  taskId?: string
  /** Resolves when what it takes to find the task again, with its questions, is kept. */
  keep?: () => Promise<void>
  /** One after the other: what is asked at once would not see how much was asked before. */
  queue: Promise<unknown>
}

/** What is known of the questions on one connection. */
export interface Questioner {
  readonly needs: QuestionNeeds
  readonly server: Pick<Server, 'name'>
  readonly now: () => number
  readonly client: MCPClient
  readonly streams: CallStreams
  readonly underWay: Map<string, CallUnderWay>
  /** Questions that an earlier engine kept, by the identity of their params. */
  readonly kept: WeakMap<object, string>
  /** Addresses to visit, by the id that the server tells of them with. */
  readonly visits: Map<string, string>
  readonly deliver: (message: object) => void
}

const questioners = new WeakMap<MCPClient, Questioner>()

/** Who asks the user on this connection; undefined before its first call, where there is nothing to ask about. */
export const questionerOf = (client: MCPClient): Questioner | undefined => questioners.get(client)

interface Surroundings {
  client: MCPClient
  transport: WatchedTransport
  server: Pick<Server, 'name'>
  needs: QuestionNeeds
  now: () => number
}

function questionerFor({ client, transport, server, needs, now }: Surroundings): Questioner {
  const present = questioners.get(client)
  if (present) return present
  const streams = createCallStreams()
  streams.watch(transport)
  const visits = new Map<string, string>()
  client.onNotification(({ method, params }) => {
    if (method !== 'notifications/elicitation/complete') return
    const questionId = visits.get(String(params?.['elicitationId']))
    if (questionId !== undefined) void needs.changeQuestion(questionId, { isDone: true }).catch(() => {})
  })
  const questioner: Questioner = {
    needs,
    server,
    now,
    client,
    streams,
    underWay: new Map(),
    kept: new WeakMap(),
    visits,
    deliver: (message) => transport.onmessage?.(message),
  }
  questioners.set(client, questioner)
  return questioner
}

/**
 * A call begins; where it was suspended with its session, it goes on. Returns what ends it, and tells whether anything was
 * put away for it.
 */
export function beginCall(
  surroundings: Surroundings,
  call: AskingCall,
  args: object,
  suspended?: Extract<Suspended, { era: 'sessions' }>,
): () => boolean {
  const { underWay: calls, streams, kept, deliver } = questionerFor(surroundings)
  const underWay: CallUnderWay = { call, over: new AbortController(), asked: [], queue: Promise.resolve() }
  calls.set(call.id, underWay)
  streams.begin(call.id, args, suspended?.place)
  for (const { questionId, id, method, params } of suspended?.asked ?? []) {
    kept.set(params, questionId)
    underWay.asked.push({ questionId, id, method, params })
    // The server waits for the answer, and does not ask twice.
    deliver({ jsonrpc: '2.0', id, method, params })
  }
  return () => {
    if (calls.get(call.id) === underWay) calls.delete(call.id)
    underWay.over.abort()
    return underWay.asked.length > 0
  }
}

/** From now on what this task asks belongs to its call, until what is returned is called. */
export function beginTask(
  surroundings: Surroundings,
  call: AskingCall,
  taskId: string,
  keep: () => Promise<void>,
): () => void {
  const { underWay: calls } = questionerFor(surroundings)
  const underWay: CallUnderWay = {
    call,
    taskId,
    keep,
    over: new AbortController(),
    asked: [],
    queue: Promise.resolve(),
  }
  calls.set(call.id, underWay)
  return () => {
    if (calls.get(call.id) === underWay) calls.delete(call.id)
    underWay.over.abort()
  }
}
