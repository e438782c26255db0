import * as z from 'zod/mini'
import { annotationsSchema } from './server.ts'
import { idSchema, nameSchema, textSchema, timeSchema } from './text.ts'

export const customToolMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export const customToolPlaces = ['path', 'query', 'header', 'body'] as const
export type CustomToolMethod = (typeof customToolMethods)[number]
export type CustomToolPlace = (typeof customToolPlaces)[number]

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
  places: z.record(z.string(), z.enum(customToolPlaces)),
  /** What an argument is called on the way, where that is another name; an empty one makes it the whole body. */
  wireNames: z.optional(z.record(z.string(), z.string())),
  /** How the body is written; as JSON where nothing is said. */
  bodyType: z.optional(z.enum(['json', 'form'])),
  annotations: annotationsSchema,
  createdAt: timeSchema,
  updatedAt: timeSchema,
})
export type CustomTool = z.infer<typeof customToolSchema>

/** What a person fills in of a custom tool. */
export type CustomToolInput = Omit<CustomTool, 'id' | 'serverId' | 'createdAt' | 'updatedAt'>
