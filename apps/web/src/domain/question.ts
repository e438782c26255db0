import * as z from 'zod/mini'
import { idSchema, timeSchema } from './text.ts'

/**
 * Something a server wants of the user in the middle of a call. `lasts`: the call waits as `asking`, and an answer after a
 * reload is as good as one before; otherwise it waits on a connection, and ends with it.
 */
export const questionSchema = z.object({
  id: idSchema,
  toolCallId: idSchema,
  conversationId: z.string(),
  serverId: idSchema,
  serverName: z.string(),
  kind: z.enum(['form', 'url', 'sampling', 'sign-in']),
  lasts: z.boolean(),
  state: z.enum(['open', 'accepted', 'declined', 'cancelled', 'ended']),
  /** In the server's words. */
  message: z.string(),
  /** Of a form: what the server would like, in its own schema. */
  schema: z.optional(z.record(z.string(), z.unknown())),
  /** Of kind `url`: where the user is to go. */
  url: z.optional(z.string()),
  /** Of kind `sampling`: what the server wants a model to read, and, once it was made, what the model said. */
  sampling: z.optional(
    z.object({
      system: z.optional(z.string()),
      messages: z.array(z.object({ role: z.enum(['user', 'assistant']), text: z.string() })),
      maxTokens: z.number(),
      answer: z.optional(z.object({ text: z.string(), model: z.string() })),
    }),
  ),
  /** What was entered and sent, where the user accepted a form. */
  answer: z.optional(z.record(z.string(), z.unknown())),
  /** Of kind `url`: the server says that what it wanted there is done. */
  isDone: z.optional(z.boolean()),
  /** It waits on a connection, and after a reload its call can be picked up where it was. */
  resumable: z.optional(z.boolean()),
  /** Why it is not put to the user: it asks for a secret, or asks too often. */
  refused: z.optional(z.string()),
  /** A task asks, which nobody waits for: the chat goes on beside it. */
  ofTask: z.optional(z.boolean()),
  /** Of a task: what its server calls this question, where it calls it something. */
  taskKey: z.optional(z.string()),
  /** Of a task whose server has no names for its questions: it has been given the answer. */
  isTold: z.optional(z.boolean()),
  createdAt: timeSchema,
  answeredAt: z.optional(timeSchema),
})
export type Question = z.infer<typeof questionSchema>
