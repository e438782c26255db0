import { callDigest } from '#domain/call-digest.ts'
import { Failed } from '#domain/failure.ts'
import type { ToolCall, ToolCallStatus } from '#domain/tool-call.ts'
import type { TurnStorage } from './needs.ts'

const REPEATABLE: readonly ToolCallStatus[] = ['unknown', 'error', 'cancelled']

/** One call is repeated once, under this id: a second click, or another tab, finds that it is done. */
export const repeatId = (toolCallId: string): string => `${toolCallId}:again`

/** Writes down that a call is to be made once more, as the user wishes, with exactly what it had. */
export async function repeatCall(
  { storage, now }: { storage: Pick<TurnStorage, 'call' | 'addCalls'>; now: () => number },
  call: ToolCall,
): Promise<void> {
  if (!REPEATABLE.includes(call.status) || call.serverId === '')
    throw new Failed('bad-input', 'Only a call that failed, was cancelled or has an unknown outcome is made again.')
  const digest = await callDigest(call)
  // What was denied, never answered, or changed since, would otherwise run here without anybody's word.
  if (call.approval?.state !== 'approved' || call.approval.digest !== digest)
    throw new Failed('bad-input', 'Only a call that was allowed is made again, and only as it was allowed.')
  const id = repeatId(call.id)
  if (await storage.call(id)) throw new Failed('bad-input', 'This call has been made again already.')
  const at = now()
  const approval = { state: 'approved', by: 'user', scope: 'once', digest, at } as const
  await storage.addCalls([{ ...asAsked(call), id, repeats: call.id, status: 'pending', approval, createdAt: at }])
}

/** A call without anything that came of it. */
function asAsked(call: ToolCall): Omit<ToolCall, 'id' | 'status' | 'createdAt'> {
  const { conversationId, messageId, gptId, serverId, serverName, toolName, title, endpoint, fingerprint } = call
  const { annotations, headerArguments, proposedArguments } = call
  return {
    conversationId,
    messageId,
    gptId,
    serverId,
    serverName,
    toolName,
    title,
    endpoint,
    fingerprint,
    annotations,
    headerArguments,
    arguments: call.arguments,
    ...(proposedArguments === undefined ? {} : { proposedArguments }),
  }
}
