import * as z from 'zod/mini'
import type { Failure } from './failure.ts'
import { idSchema, nameSchema, textSchema, timeSchema } from './text.ts'

export const algorithms = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512'] as const

/** Secrets are not here: each has a row in `secrets` under mcpServers:<id>:<field>, with the fields named beside. */
export const authenticationSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('none') }),
  z.object({ type: z.literal('bearer') }), // secret: token
  z.object({ type: z.literal('api-key'), header: z.string() }), // secret: key
  z.object({ type: z.literal('basic'), user: z.string() }), // secret: password
  z.object({
    type: z.literal('oauth2'), // secrets: clientSecret, privateKey
    clientId: z.optional(z.string()),
    algorithm: z.optional(z.enum(algorithms)),
    scopes: z.optional(z.string()),
  }),
])
export type Authentication = z.infer<typeof authenticationSchema>
export const serverSecretFields = ['token', 'key', 'password', 'clientSecret', 'privateKey', 'headers'] as const
export type ServerSecretField = (typeof serverSecretFields)[number]
/** New values of a server's secrets; one that is left out stays as it is. `headers` is a JSON object as text. */
export type ServerSecrets = { [Field in ServerSecretField]?: string }

/** What a server claims of a tool. */
export const annotationsSchema = z.object({
  readOnly: z.optional(z.boolean()),
  destructive: z.optional(z.boolean()),
  idempotent: z.optional(z.boolean()),
  openWorld: z.optional(z.boolean()),
})

export const serverSchema = z.object({
  id: idSchema,
  name: nameSchema(100),
  description: textSchema(500),
  transport: z.enum(['streamable-http', 'stdio']),
  /** Of a program that the companion runs: its name in the companion's file. */
  companionName: z.optional(z.string()),
  url: textSchema(2_000),
  /** Names of extra headers; their values are secret. */
  headerNames: z.array(z.string()),
  authentication: authenticationSchema,
  timeoutSeconds: z.number().check(z.int(), z.gte(1), z.lte(300)),
  retries: z.number().check(z.int(), z.gte(0), z.lte(5)),
  /** Reach it through the companion, for servers that forbid browsers. */
  relay: z.boolean(),
  /** The user trusts what this server says of its tools (read-only, idempotent …). */
  trusted: z.boolean(),
  /** One the app came with. */
  builtIn: z.optional(z.boolean()),
  enabled: z.boolean(),
  sessionId: z.optional(z.string()),
  /** What was found when it was last connected, so that lists are there before it is again. */
  found: z.optional(
    z.object({
      title: z.string(),
      version: z.string(),
      protocolVersion: z.string(),
      instructions: z.string(),
      icon: z.optional(z.string()),
      tools: z.array(
        z.object({
          name: z.string(),
          title: z.string(),
          description: z.string(),
          /** Characters of its input schema as JSON, for the budget of a GPT. */
          schemaSize: z.number(),
          fingerprint: z.string(),
          annotations: annotationsSchema,
          /** Why it cannot be used: a schema that no model takes, a header it may not ask for. */
          problem: z.optional(z.string()),
          /** Signs that its definition tries to steer a model, for a person to look at. */
          warnings: z.optional(z.array(z.string())),
        }),
      ),
      resources: z.number(),
      prompts: z.number(),
    }),
  ),
  lastConnectedAt: z.optional(timeSchema),
  deletedAt: z.optional(timeSchema),
  createdAt: timeSchema,
  updatedAt: timeSchema,
})
export type Server = z.infer<typeof serverSchema>
export type FoundServer = NonNullable<Server['found']>
export type FoundTool = FoundServer['tools'][number]
export type ToolAnnotations = FoundTool['annotations']

/** What the engine of this tab knows of a connection; not stored. */
export type ConnectionState =
  | { state: 'disconnected' }
  | { state: 'connecting' }
  | { state: 'connected'; sessionId?: string; protocolVersion: string }
  | { state: 'error'; failure: Failure }
