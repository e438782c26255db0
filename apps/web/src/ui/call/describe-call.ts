import type { ToolCall } from '#domain/tool-call.ts'
import { fileSize } from '#lib/file-size.ts'
import type { IconName } from '../icon.tsx'
import { durationInWords } from '#lib/in-words.ts'

export type CallState =
  | 'waiting'
  | 'asking'
  | 'running'
  | 'task'
  | 'done'
  | 'failed'
  | 'cancelled'
  | 'denied'
  | 'unknown'

export interface CallDescription {
  state: CallState
  icon: IconName
  /** The state in a word, for those who do not see its shape. */
  word: string
  /** Duration, size, who allowed it. */
  facts: string[]
}

const shapes: Record<CallState, { icon: IconName; word: string }> = {
  waiting: { icon: 'tool', word: 'waits' },
  asking: { icon: 'question', word: 'asks you something' },
  running: { icon: 'play', word: 'runs' },
  task: { icon: 'clock', word: 'works in the background' },
  done: { icon: 'check', word: 'done' },
  failed: { icon: 'warning', word: 'failed' },
  cancelled: { icon: 'stop', word: 'cancelled' },
  denied: { icon: 'cancel', word: 'denied' },
  unknown: { icon: 'question', word: 'outcome unknown' },
}

function stateOf({ status, approval }: ToolCall): CallState {
  switch (status) {
    case 'pending':
      return 'waiting'
    case 'asking':
      return 'asking'
    case 'running':
      return 'running'
    case 'task':
      return 'task'
    case 'success':
      return 'done'
    case 'error':
      return 'failed'
    case 'cancelled':
      return approval?.state === 'denied' ? 'denied' : 'cancelled'
    case 'unknown':
      return 'unknown'
  }
}

const permissions = {
  once: 'allowed once',
  conversation: 'allowed in this chat',
  gpt: 'allowed for this GPT',
  always: 'always allowed',
} as const

function permissionOf({ approval }: ToolCall): string {
  if (approval?.state !== 'approved') return ''
  return approval.by === 'policy' ? 'allowed by policy' : permissions[approval.scope ?? 'once']
}

/** The line of a call: `✓ create_issue · 0.8 s · 2.1 KB · allowed once`. */
export function describeCall(call: ToolCall): CallDescription {
  const { startedAt, completedAt, size, proposedArguments, app } = call
  const state = stateOf(call)
  const facts = [
    state === 'done' || state === 'running' || state === 'task' ? '' : shapes[state].word,
    startedAt !== undefined && completedAt !== undefined ? durationInWords(completedAt - startedAt) : '',
    size === undefined ? '' : fileSize(size),
    permissionOf(call),
    proposedArguments === undefined ? '' : 'changed by you',
    app === undefined ? '' : 'requested by app',
  ].filter(Boolean)
  return { state, ...shapes[state], facts }
}

/** The name of a tool for people: what the server calls itself and its tools is only shown, never trusted. */
export const nameOf = ({ toolName, title }: Pick<ToolCall, 'toolName' | 'title'>): string => title || toolName

/** The time from the first start to the last end. */
export function spanOf(calls: readonly ToolCall[]): number {
  const starts = calls.flatMap(({ startedAt }) => startedAt ?? [])
  const ends = calls.flatMap(({ completedAt }) => completedAt ?? [])
  return starts.length > 0 && ends.length > 0 ? Math.max(...ends) - Math.min(...starts) : 0
}
