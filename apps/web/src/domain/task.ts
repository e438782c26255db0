import * as z from 'zod/mini'
import type { Failure } from './failure.ts'
import { failureSchema } from './failure-schema.ts'
import { idSchema, timeSchema } from './text.ts'
import type { ToolOutcome } from './tool-outcome.ts'

/** `expired`: its server has forgotten it. `left`: nobody looks any more, because the user or the server said so. */
export const taskStatuses = [
  'working',
  'input_required',
  'completed',
  'failed',
  'cancelled',
  'expired',
  'left',
] as const

export const taskSchema = z.object({
  /** That of its call. What the server calls it lies in the vault: whoever has that can read and end the task. */
  id: idSchema,
  serverId: idSchema,
  serverName: z.string(),
  /** Empty where the user made the call by hand. */
  conversationId: z.string(),
  toolCallId: idSchema,
  toolName: z.string(),
  title: z.string(),
  /** Of the tool as it was called. */
  fingerprint: z.string(),
  status: z.enum(taskStatuses),
  progress: z.optional(z.object({ progress: z.number(), total: z.optional(z.number()) })),
  /** In the server's words. */
  message: z.optional(z.string()),
  /** How long the server keeps it, from its creation. */
  ttlMs: z.optional(z.number()),
  /** At least so long between two looks. */
  pollMs: z.number(),
  /** The user wants it cancelled; it is, when the server says so. */
  cancelRequestedAt: z.optional(timeSchema),
  /** The user wants to know how it stands now. */
  lookWantedAt: z.optional(timeSchema),
  /** Why nobody can look at it now. It may go on. */
  trouble: z.optional(failureSchema),
  createdAt: timeSchema,
  updatedAt: timeSchema,
  completedAt: z.optional(timeSchema),
  /** When what came of it entered the conversation. */
  deliveredAt: z.optional(timeSchema),
})
export type Task = z.infer<typeof taskSchema>
export type TaskStatus = Task['status']

/** How a task ended. */
export type TaskEnd =
  | { status: 'completed'; outcome: ToolOutcome }
  | { status: 'failed' | 'cancelled' | 'expired' | 'left'; failure: Failure }
