import { type CallInQuestion, judgeCall, type Verdict } from '#domain/approval-policy.ts'
import type { Gpt } from '#domain/gpt.ts'
import type { Grant } from '#domain/grant.ts'
import type { Message } from '#domain/message.ts'
import { bringsTask } from '#domain/next-step.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import type { OfferedTool } from './needs.ts'
import { isOwnCall } from './own-tools.ts'

/** After so many denials in one turn a server has had its answer. */
const MOST_DENIALS = 3

/** A server whose text is in the conversation. */
type Speaker = Pick<ToolCall, 'serverId' | 'serverName'>

export type Judgement =
  | { call: ToolCall; judgement: 'approved' | 'waits' | 'over-limit' | 'muted' }
  | { call: ToolCall; judgement: 'judged'; verdict: Verdict; foreign: readonly Speaker[] }

export interface Circumstances {
  gpt: Gpt
  messages: readonly Message[]
  calls: readonly ToolCall[]
  grants: readonly Grant[]
  tools: readonly OfferedTool[]
  /** Servers that the user trusts, whether or not they offer a tool now. */
  trustedServers: ReadonlySet<string>
}

/** The calls of these messages, in the order in which the model asked for them; those made again are not counted twice. */
function inOrder(messages: readonly Message[], calls: readonly ToolCall[]): ToolCall[] {
  const byId = new Map(calls.map((call) => [call.id, call]))
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      const call = part.type === 'tool' ? byId.get(part.toolCallId) : undefined
      return call ? [call] : []
    }),
  )
}

/** A turn begins with a message of the user, or where the user let it go on beyond its limit. */
function callsOfTurn({ messages, calls }: Circumstances): ToolCall[] {
  // The end of a task is no word of the user: a model that makes one task after the other is in one turn.
  const begin = messages.findLastIndex(
    (message) => (message.role === 'user' && !bringsTask(message)) || message.failure?.code === 'call-limit',
  )
  return inOrder(messages.slice(begin + 1), calls)
}

/** What the app itself says is no stranger's. */
const hasSpoken = (call: ToolCall) =>
  !isOwnCall(call) && (call.content !== undefined || call.structuredContent !== undefined)

/** Servers whose words the user brought into the conversation. A file of the user is the user's own. */
const attachedServers = ({ parts }: Message): Speaker[] =>
  parts.filter((part) => part.type === 'attachment').filter(({ serverId }) => serverId !== '')

/** What becomes of each pending call of the last message. */
export function judgeCalls(circumstances: Circumstances): Judgement[] {
  const { gpt, messages, calls, grants, tools, trustedServers } = circumstances
  const ofTurn = callsOfTurn(circumstances)
  const trusted = new Set(tools.filter(({ serverTrusted }) => serverTrusted).map(({ serverId }) => serverId))
  const speakers: readonly Speaker[] = [...calls.filter(hasSpoken), ...messages.flatMap(attachedServers)]
  const untrustedSpeakers = new Map(
    speakers
      .filter(({ serverId }) => !trusted.has(serverId) && !trustedServers.has(serverId))
      .map((speaker) => [speaker.serverId, speaker]),
  )

  const denials = (serverId: string) =>
    ofTurn.filter((call) => call.serverId === serverId && call.approval?.state === 'denied').length

  const foreignTo = (call: ToolCall): Speaker[] =>
    [...untrustedSpeakers.values()].filter(({ serverId }) => serverId !== call.serverId)

  const questionOf = (call: ToolCall, foreign: readonly Speaker[]): CallInQuestion => ({
    ...call,
    serverTrusted: trusted.has(call.serverId),
    foreign: [...new Set(foreign.map(({ serverName }) => serverName))],
  })

  return ofTurn.flatMap((call, place): Judgement[] => {
    if (call.status !== 'pending') return []
    if (call.approval?.state === 'requested') return [{ call, judgement: 'waits' }]
    if (call.approval?.by === 'user') return [{ call, judgement: 'approved' }]
    if (place >= gpt.settings.maxToolCalls) return [{ call, judgement: 'over-limit' }]
    if (isOwnCall(call)) return [{ call, judgement: 'judged', verdict: { verdict: 'run', by: 'policy' }, foreign: [] }]
    if (denials(call.serverId) >= MOST_DENIALS) return [{ call, judgement: 'muted' }]
    const foreign = foreignTo(call)
    const verdict = judgeCall(questionOf(call, foreign), gpt.tools, grants)
    return [{ call, judgement: 'judged', verdict, foreign }]
  })
}
