import * as z from 'zod/mini'
import { failureSchema } from './failure-schema.ts'
import { idSchema, textSchema, timeSchema } from './text.ts'

/** What the user sent along: a resource of a server as it was then, or a file. Its text and its picture are data, not words of the user. */
export const attachmentSchema = z.object({
  type: z.literal('attachment'),
  /** Empty for a file of the user. */
  serverId: z.string(),
  serverName: textSchema(200),
  uri: textSchema(4_000),
  name: textSchema(300),
  mimeType: textSchema(200),
  /** Bytes. */
  size: z.number(),
  text: z.optional(z.string()),
  /** A raster picture or a sound, in base64. */
  data: z.optional(z.string()),
})
export type Attachment = z.infer<typeof attachmentSchema>

export const partSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  attachmentSchema,
  z.object({
    type: z.literal('reasoning'),
    text: z.string(),
    /** What the provider wants back with it (signatures); opaque to us. */
    metadata: z.optional(z.record(z.string(), z.record(z.string(), z.unknown()))),
  }),
  /** A call of a tool: its row in mcpToolCalls holds everything else. */
  z.object({
    type: z.literal('tool'),
    toolCallId: idSchema,
    /** The id the provider gave it; some local servers reuse theirs, so it is no key of ours. */
    providerCallId: z.string(),
    /** The name under which the model knew the tool. */
    modelName: z.string(),
    metadata: z.optional(z.record(z.string(), z.record(z.string(), z.unknown()))),
  }),
  /** In a message of the app: what came of a call that had become a task. */
  z.object({ type: z.literal('task'), toolCallId: idSchema }),
])
export type Part = z.infer<typeof partSchema>
export type ToolPart = Extract<Part, { type: 'tool' }>

export const messageSchema = z.object({
  id: idSchema,
  conversationId: idSchema,
  branchId: idSchema,
  /** Its place in the conversation: 0, 1, 2 …, counted through the branches it stands on. */
  order: z.number().check(z.int(), z.gte(0)),
  role: z.enum(['user', 'assistant']),
  parts: z.array(partSchema),
  /** While `streaming`, what has arrived so far is in the table `streams`. */
  status: z.enum(['streaming', 'done', 'stopped', 'failed']),
  failure: z.optional(failureSchema),
  /** What the provider says it used. */
  usage: z.optional(z.object({ inputTokens: z.optional(z.number()), outputTokens: z.optional(z.number()) })),
  /** Model and connection that answered, as they were called then. */
  model: z.optional(z.object({ connectionId: z.string(), modelId: z.string(), name: textSchema(200) })),
  finishReason: z.optional(z.string()),
  createdAt: timeSchema,
  completedAt: z.optional(timeSchema),
})
export type Message = z.infer<typeof messageSchema>

/** What of a message has arrived so far; deleted in the transaction that completes the message. */
export const streamSchema = z.object({
  messageId: idSchema,
  conversationId: idSchema,
  parts: z.array(partSchema),
  /** Tools whose arguments are still arriving, by name and length: nothing of them runs before they are whole. */
  arriving: z.array(z.object({ modelName: z.string(), characters: z.number() })),
  updatedAt: timeSchema,
})
export type Stream = z.infer<typeof streamSchema>
