import type { GrantScope, ToolCall } from '#domain/tool-call.ts'
import type { ApprovalAnswer } from '#wiring/commands.ts'
import { bytesOf } from '#lib/in-words.ts'
import { isJsonObject } from '#ui/call/argument-rows.ts'

/** What the user has said about one call so far. */
export interface Answering {
  decision: GrantScope | 'deny'
  reason: string
  /** The arguments, where they were changed. */
  edited: string | undefined
  hasSeenAll: boolean
}

export const unanswered: Answering = { decision: 'once', reason: '', edited: undefined, hasSeenAll: false }

/** Larger arguments must have been looked at before they can be allowed. */
const MAX_UNSEEN_BYTES = 4_096

export function mustSeeAll(call: ToolCall, { edited, hasSeenAll }: Answering): boolean {
  return edited === undefined && !hasSeenAll && bytesOf(call.arguments) > MAX_UNSEEN_BYTES
}

/** Why this call cannot be allowed as it stands, in a sentence. */
export function whyNotAllow(call: ToolCall, answering: Answering): string | undefined {
  if (answering.decision === 'deny') return undefined
  if (answering.edited !== undefined && !isJsonObject(answering.edited)) {
    return 'The changed arguments are not a JSON object yet.'
  }
  return mustSeeAll(call, answering) ? 'Look at all of the arguments first.' : undefined
}

/** The answer for the engine: the very text that was on the screen. */
export function answerOf(call: ToolCall, { decision, reason, edited }: Answering): ApprovalAnswer {
  if (decision !== 'deny') {
    return { toolCallId: call.id, decision: 'allow', scope: decision, arguments: edited ?? call.arguments }
  }
  const words = reason.trim()
  return { toolCallId: call.id, decision: 'deny', ...(words ? { reason: words } : {}) }
}
