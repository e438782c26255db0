import * as z from 'zod/mini'
import { annotationsSchema } from './server.ts'
import { idSchema, nameSchema, textSchema, timeSchema } from './text.ts'

export const customToolMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** A tool that the user described: what it takes, and which address is asked when it is called. */
export const customToolSchema = z.object({
  id: idSchema,
  /** The collection it belongs to: a server of transport `custom`, whose authentication it uses. */
  serverId: idSchema,
  name: nameSchema(50),
  description: nameSchema(500),
  inputSchema: z.record(z.string(), z.unknown()),
  method: z.enum(customToolMethods),
  /** May hold {places} that arguments fill. */
  url: textSchema(2_000),
  /** Where each argument goes; those not named go into the body, or the query where there is none. */
  places: z.record(z.string(), z.enum(['path', 'query', 'header', 'body'])),
  annotations: annotationsSchema,
  createdAt: timeSchema,
  updatedAt: timeSchema,
})
export type CustomTool = z.infer<typeof customToolSchema>
