import type { ToolCall } from './tool-call.ts'

/** What becomes of a tool that a screen wants to have called. */
export type AppCallAnswer =
  /** The user is to be asked, about exactly this call. */
  | { outcome: 'ask'; requestId: string; call: Pick<ToolCall, 'serverName' | 'toolName' | 'title' | 'arguments'> }
  /** It was allowed while the screen is open, and is written down. */
  | { outcome: 'started'; toolCallId: string }
  | { outcome: 'refused'; reason: string }

/** How often a screen may be told no before nobody is asked any more. */
export const MOST_DENIALS = 3
/** Calls that were allowed for as long as the screen is open, in a minute. */
export const MOST_CALLS_A_MINUTE = 60

export const MUTED = `The user said no ${MOST_DENIALS} times: this screen can call no more tools.`
