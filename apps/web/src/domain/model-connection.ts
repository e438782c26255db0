import * as z from 'zod/mini'
import { idSchema, nameSchema, textSchema, timeSchema } from './text.ts'

export const modelKinds = ['practice', 'openai', 'anthropic', 'compatible'] as const

/** A service that has models. Its key is a row in `secrets` under modelConnections:<id>:key. */
export const modelConnectionSchema = z.object({
  id: idSchema,
  kind: z.enum(modelKinds),
  name: nameSchema(100),
  /** Base address, such as https://api.openai.com/v1; empty for the practice model. */
  baseUrl: textSchema(2_000),
  /** Of OpenAI: which of its two interfaces. */
  api: z.enum(['responses', 'chat']),
  hasKey: z.boolean(),
  /** Last fetched list of models. */
  models: z.array(z.string()),
  modelsAt: z.optional(timeSchema),
  /** What the service says its models accept besides text, by model; empty if it says nothing. */
  acceptedMedia: z.optional(z.record(z.string(), z.object({ pictures: z.boolean(), audio: z.boolean() }))),
  deletedAt: z.optional(timeSchema),
  createdAt: timeSchema,
  updatedAt: timeSchema,
})
export type ModelConnection = z.infer<typeof modelConnectionSchema>
export type ModelKind = ModelConnection['kind']

export const PRACTICE = { connectionId: 'practice', modelId: 'practice' } as const
