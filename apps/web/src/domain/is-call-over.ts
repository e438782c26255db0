import type { ToolCall } from './tool-call.ts'

/** The call has ended, however it ended: nothing of it runs, waits or asks any more. */
export const isCallOver = ({ status }: Pick<ToolCall, 'status'>): boolean =>
  status !== 'pending' && status !== 'running' && status !== 'asking' && status !== 'task'
