import type { Task as Handle } from '@switchboard/mcp'
import type { Task } from '#domain/task.ts'

const LONGEST_MESSAGE = 500

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** What is to be written of a task that goes on: claims of its server, bounded. How it ends is written by who has its result. */
export function taskChange({ status, statusMessage, progress, ttlMs }: Handle): Partial<Task> {
  const message = statusMessage ?? progress?.message
  return {
    ...((status === 'working' || status === 'input_required') && { status }),
    ...(progress && isNumber(progress.progress) && { progress: readProgress(progress) }),
    ...(typeof message === 'string' && { message: message.slice(0, LONGEST_MESSAGE) }),
    ...(isNumber(ttlMs) && { ttlMs }),
  }
}

const readProgress = ({ progress, total }: { progress: number; total?: number | undefined }) => ({
  progress,
  ...(isNumber(total) && { total }),
})
