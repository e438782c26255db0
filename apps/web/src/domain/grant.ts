import * as z from 'zod/mini'
import { idSchema, timeSchema } from './text.ts'

/** A "do not ask again" of the user. It holds for this definition at this endpoint and for nothing else. */
export const grantSchema = z.object({
  id: idSchema,
  scope: z.enum(['conversation', 'gpt', 'always']),
  /** The conversation or the GPT; empty for `always`. */
  scopeId: z.string(),
  serverId: idSchema,
  serverName: z.string(),
  toolName: z.string(),
  fingerprint: z.string(),
  endpoint: z.string(),
  /** Servers the user does not trust whose text was in the conversation when this was said: it was said knowing of them. */
  foreign: z.optional(z.array(z.string())),
  createdAt: timeSchema,
})
export type Grant = z.infer<typeof grantSchema>
