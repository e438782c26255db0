import * as z from 'zod/mini'
import { idSchema, nameSchema, textSchema, timeSchema } from './text.ts'

export const approvalPolicies = ['auto', 'always-ask', 'trusted-only'] as const

/** One tool of one server: what servers call themselves or their tools is never an identity by itself. */
export const toolRefSchema = z.object({ serverId: idSchema, toolName: z.string() })
export type ToolRef = z.infer<typeof toolRefSchema>

/** Trust is bound to what was trusted: a changed definition or endpoint is another tool. */
export const trustedToolSchema = z.extend(toolRefSchema, { fingerprint: z.string(), endpoint: z.string() })
export type TrustedTool = z.infer<typeof trustedToolSchema>

export const gptToolsSchema = z.object({
  serverIds: z.array(idSchema),
  disabledTools: z.array(toolRefSchema),
  approval: z.enum(approvalPolicies),
  trustedTools: z.array(trustedToolSchema),
  /**
   * Ask, whatever the policy and the grants say, when content from an untrusted server is in the chat. Undefined, as in records
   * and files that are older than this switch, means true.
   */
  askOnUntrustedContent: z.optional(z.boolean()),
  pollSeconds: z.number().check(z.gte(1), z.lte(60)),
  asyncTasks: z.boolean(),
})
export type GptTools = z.infer<typeof gptToolsSchema>
export type ApprovalPolicy = GptTools['approval']

export const gptSchema = z.object({
  id: idSchema,
  name: nameSchema(),
  description: textSchema(500),
  /** An emoji, or a small picture as a data: address. */
  icon: textSchema(100_000),
  instructions: textSchema(),
  model: z.object({
    connectionId: idSchema,
    modelId: z.string(),
    /** What the user says this model accepts. Undefined, as in older records, leaves it to `acceptedMedia`. */
    acceptsPictures: z.optional(z.boolean()),
    acceptsAudio: z.optional(z.boolean()),
  }),
  settings: z.object({
    temperature: z.optional(z.number().check(z.gte(0), z.lte(2))),
    maxOutputTokens: z.optional(z.number().check(z.int(), z.gte(1), z.lte(1_000_000))),
    /** Tool calls per turn; a model that loops is stopped here. */
    maxToolCalls: z.number().check(z.int(), z.gte(1), z.lte(100)),
  }),
  starters: z.array(textSchema(500)).check(z.maxLength(8)),
  tools: gptToolsSchema,
  archivedAt: z.optional(timeSchema),
  deletedAt: z.optional(timeSchema),
  createdAt: timeSchema,
  updatedAt: timeSchema,
})
export type Gpt = z.infer<typeof gptSchema>
