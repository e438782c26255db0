import * as z from 'zod/mini'
import { failureSchema } from './failure-schema.ts'
import { annotationsSchema } from './server.ts'
import { idSchema, timeSchema } from './text.ts'

/**
 * pending → running → success | error | cancelled | unknown. A running one that was asked something by its server, in a way
 * that outlives us, is `asking` until there is an answer, and then runs on. One that its server works at in its own time is a
 * `task`: nobody waits for it, and whoever looks at it settles it. The write-ahead states: a call is `approved`, then `running`
 * (written before anything is sent), then settled. One found `running` after a crash is `unknown` and never runs again unasked.
 */
export const toolCallStatuses = [
  'pending',
  'running',
  'asking',
  'task',
  'success',
  'error',
  'cancelled',
  'unknown',
] as const

/**
 * The policy of the GPT asks for every call, or for tools that aren't trusted. Or the call would run without asking, but
 * content from an untrusted server is in the chat, or the arguments contain what looks like a key.
 */
export const askReasons = ['always-ask', 'not-trusted', 'untrusted-content', 'secret'] as const
export type AskReason = (typeof askReasons)[number]

export const grantScopes = ['once', 'conversation', 'gpt', 'always'] as const
export type GrantScope = (typeof grantScopes)[number]

export const approvalSchema = z.object({
  state: z.enum(['requested', 'approved', 'denied']),
  /** Who decided: the user for this call, a policy (auto, trusted), or a grant given before. */
  by: z.optional(z.enum(['user', 'policy', 'grant'])),
  scope: z.optional(z.enum(grantScopes)),
  /** Of a denial, for the model. */
  reason: z.optional(z.string()),
  /** SHA-256 over server, endpoint, definition and arguments: what was approved is what runs. */
  digest: z.optional(z.string()),
  /** Servers the user does not trust whose text was in the conversation when it was asked, by name. */
  foreign: z.optional(z.array(z.string())),
  /** The same servers by id. */
  foreignIds: z.optional(z.array(idSchema)),
  /** Why the user is asked. */
  why: z.optional(z.enum(askReasons)),
  at: timeSchema,
})
export type Approval = z.infer<typeof approvalSchema>

export const toolCallSchema = z.object({
  id: idSchema,
  /** These three are empty where the user made the call by hand. */
  conversationId: z.string(),
  messageId: z.string(),
  gptId: z.string(),
  /** Empty where the model named a tool that there is not. */
  serverId: z.string(),
  serverName: z.string(),
  toolName: z.string(),
  title: z.string(),
  endpoint: z.string(),
  fingerprint: z.string(),
  annotations: annotationsSchema,
  /** The JSON text that is shown and sent: the model's, or the user's after an edit. */
  arguments: z.string(),
  /** The model's own, where the user changed them. */
  proposedArguments: z.optional(z.string()),
  /** Arguments that also travel as headers, where proxies may log them. */
  headerArguments: z.array(z.string()),
  status: z.enum(toolCallStatuses),
  approval: z.optional(approvalSchema),
  progress: z.optional(
    z.object({ progress: z.number(), total: z.optional(z.number()), message: z.optional(z.string()) }),
  ),
  createdAt: timeSchema,
  startedAt: z.optional(timeSchema),
  completedAt: z.optional(timeSchema),
  /** Content blocks of the result as the server sent them: data of a stranger. */
  content: z.optional(z.array(z.record(z.string(), z.unknown()))),
  structuredContent: z.optional(z.unknown()),
  isError: z.optional(z.boolean()),
  /** Bytes of the result. */
  size: z.optional(z.number()),
  error: z.optional(failureSchema),
  /** The task that it became, and how that ended. */
  taskId: z.optional(z.string()),
  taskStatus: z.optional(z.string()),
  /** What the server had for the model to read until the result is there. */
  taskReply: z.optional(z.string()),
  /** The screen that its tool brought along, a ui:// address of its own server. */
  appUri: z.optional(z.string()),
  /** The call whose screen asked for this one. */
  app: z.optional(idSchema),
  /** The call that this one repeats, at the user's wish. */
  repeats: z.optional(idSchema),
})
export type ToolCall = z.infer<typeof toolCallSchema>
export type ToolCallStatus = ToolCall['status']

/** A message to or from a server as it travelled, without headers; kept in memory and shown on the card. */
export type RawMessage = { at: number; direction: 'sent' | 'received'; text: string }
