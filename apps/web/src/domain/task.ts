import * as z from 'zod/mini'
import { idSchema, timeSchema } from './text.ts'

export const taskSchema = z.object({
  id: idSchema,
  serverId: idSchema,
  toolCallId: idSchema,
  status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
  progress: z.optional(z.object({ progress: z.number(), total: z.optional(z.number()) })),
  message: z.optional(z.string()),
  createdAt: timeSchema,
  updatedAt: timeSchema,
})
export type Task = z.infer<typeof taskSchema>
