import * as z from 'zod/mini'
import { idSchema, nameSchema, timeSchema } from './text.ts'

/**
 * A line of messages. Editing or regenerating begins a new one that leaves its parent at `from`; nothing is overwritten.
 * The first has no parent and begins at 0.
 */
export const branchSchema = z.object({
  id: idSchema,
  parentId: z.nullable(idSchema),
  from: z.number().check(z.int(), z.gte(0)),
})
export type Branch = z.infer<typeof branchSchema>

export const conversationSchema = z.object({
  id: idSchema,
  gptId: idSchema,
  title: nameSchema(200),
  titledBy: z.enum(['app', 'user']),
  branches: z.array(branchSchema),
  /** The branch that is shown. */
  branchId: idSchema,
  deletedAt: z.optional(timeSchema),
  createdAt: timeSchema,
  updatedAt: timeSchema,
})
export type Conversation = z.infer<typeof conversationSchema>
