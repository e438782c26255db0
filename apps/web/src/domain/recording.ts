import * as z from 'zod/mini'
import { idSchema, timeSchema } from './text.ts'

/** A message between the app and a server as it travelled, without headers and without what is secret. */
export const recordingSchema = z.object({
  /** Counts up. */
  id: z.optional(z.number()),
  serverId: idSchema,
  serverName: z.string(),
  at: timeSchema,
  /** `failed`: no answer came, and this is what the app made of that. */
  direction: z.enum(['sent', 'received', 'failed']),
  /** What it is about: the method, or that of the request it answers. */
  method: z.string(),
  text: z.string(),
  /** Characters it had, before anything was cut. */
  size: z.number(),
})
export type Recording = z.infer<typeof recordingSchema>
