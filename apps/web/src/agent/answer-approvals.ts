import { readArguments } from '#domain/call-arguments.ts'
import { callDigest } from '#domain/call-digest.ts'
import { Failed } from '#domain/failure.ts'
import type { Grant } from '#domain/grant.ts'
import type { GrantScope, ToolCall } from '#domain/tool-call.ts'
import type { TurnStorage } from './needs.ts'

export type ApprovalAnswer = { toolCallId: string } & (
  | { decision: 'allow'; scope: GrantScope /** As they were shown, or as the user changed them. */; arguments: string }
  | { decision: 'deny'; reason?: string }
)

export interface AnswerNeeds {
  storage: Pick<TurnStorage, 'call' | 'changeCall' | 'addGrant'>
  now: () => number
  newId: () => string
}

const LONGEST_REASON = 2_000

/** Stores what the user decided. All of it is checked first: a question that is no longer open refuses the whole. */
export async function answerApprovals(
  needs: AnswerNeeds,
  conversationId: string,
  answers: readonly ApprovalAnswer[],
): Promise<void> {
  const decided = []
  for (const answer of answers) {
    const call = await needs.storage.call(answer.toolCallId)
    if (call?.conversationId !== conversationId || call.status !== 'pending' || call.approval?.state !== 'requested')
      throw new Failed('not-found', 'This call no longer waits for an answer: it was answered, cancelled or stopped.')
    decided.push({ call, answer, change: await changeOf(call, answer, needs.now()) })
  }
  for (const { call, answer, change } of decided) {
    // The grant first: a call that is approved while its grant cannot be stored would neither ask nor run.
    if (answer.decision === 'allow' && answer.scope !== 'once')
      await needs.storage.addGrant(grantFor(call, answer.scope, needs))
    await needs.storage.changeCall(call.id, ['pending'], change)
  }
}

async function changeOf(call: ToolCall, answer: ApprovalAnswer, at: number): Promise<Partial<ToolCall>> {
  if (answer.decision === 'deny') {
    const reason = answer.reason?.trim().slice(0, LONGEST_REASON)
    return {
      status: 'cancelled',
      completedAt: at,
      approval: { state: 'denied', by: 'user', at, ...(reason ? { reason } : {}) },
    }
  }
  const edit = answer.arguments === call.arguments ? {} : edited(call, answer.arguments)
  const digest = await callDigest({ ...call, ...edit })
  return { ...edit, approval: { state: 'approved', by: 'user', scope: answer.scope, digest, at } }
}

function edited(call: ToolCall, text: string): Pick<ToolCall, 'arguments' | 'proposedArguments'> {
  const given = readArguments(text)
  if ('problem' in given) throw new Failed('bad-arguments', `${given.problem} Correct them, then allow the call.`)
  return { arguments: given.text, proposedArguments: call.arguments }
}

function grantFor(call: ToolCall, scope: Grant['scope'], { now, newId }: AnswerNeeds): Grant {
  const { serverId, serverName, toolName, fingerprint, endpoint, conversationId, gptId, approval } = call
  const scopeId = { conversation: conversationId, gpt: gptId, always: '' }[scope]
  return {
    id: newId(),
    scope,
    scopeId,
    serverId,
    serverName,
    toolName,
    fingerprint,
    endpoint,
    ...(approval?.foreign && { foreign: approval.foreign }),
    createdAt: now(),
  }
}
