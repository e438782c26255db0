import type { Task } from '#domain/task.ts'
import type { IconName } from '../icon.tsx'
import type { Tone } from '../badge.tsx'

const shapes: Record<Task['status'], { icon: IconName; word: string; tone: Tone }> = {
  working: { icon: 'clock', word: 'works', tone: 'accent' },
  input_required: { icon: 'question', word: 'asks you something', tone: 'warn' },
  completed: { icon: 'check', word: 'done', tone: 'good' },
  failed: { icon: 'warning', word: 'failed', tone: 'bad' },
  cancelled: { icon: 'stop', word: 'cancelled', tone: 'plain' },
  expired: { icon: 'question', word: 'forgotten by its server', tone: 'warn' },
  left: { icon: 'question', word: 'outcome unknown', tone: 'warn' },
}

/** How a task stands, by shape and word. Its wish to stop is no end: that is the server's to say. */
export function describeTask({ status, cancelRequestedAt }: Pick<Task, 'status' | 'cancelRequestedAt'>) {
  const isStopping = cancelRequestedAt !== undefined && (status === 'working' || status === 'input_required')
  return isStopping ? { ...shapes[status], word: 'cancel requested' } : shapes[status]
}
