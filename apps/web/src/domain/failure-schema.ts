import * as z from 'zod/mini'
import { type Failure, failureCodes } from './failure.ts'

export const failureSchema: z.ZodMiniType<Failure> = z.object({
  code: z.enum(failureCodes),
  message: z.string(),
  retryAt: z.optional(z.number()),
  serverError: z.optional(
    z.object({ code: z.optional(z.number()), message: z.string(), data: z.optional(z.string()) }),
  ),
  wants: z.optional(z.enum(['bearer', 'basic'])),
})
