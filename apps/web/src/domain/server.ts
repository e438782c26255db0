import * as z from 'zod/mini'
import type { Failure } from './failure.ts'
import { idSchema, nameSchema, textSchema, timeSchema } from './text.ts'

export const algorithms = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512'] as const

/** Secrets are not here: each has a row in `secrets` under mcpServers:<id>:<field>, with the fields named beside. */
export const authenticationSchema = z.discriminatedUnion('type', [
  /** Asked without first; where the server wants a sign-in, it is followed to one. */
  z.object({ type: z.literal('auto') }),
  z.object({ type: z.literal('none') }),
  z.object({ type: z.literal('bearer') }), // secret: token
  z.object({ type: z.literal('api-key'), header: z.string() }), // secret: key
  z.object({ type: z.literal('basic'), user: z.string() }), // secret: password
  z.object({
    type: z.literal('oauth2'), // secrets: clientSecret, privateKey
    /** Who signs in: a person in a window, or this app in its own name, with a secret or a private key. */
    flow: z.optional(z.enum(['person', 'program'])),
    clientId: z.optional(z.string()),
    /** Where a document describes this client to authorization servers that take one. */
    clientMetadataUrl: z.optional(z.string()),
    /** How the client signs where it proves itself with a private key; without one it has a secret, or nothing. */
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
  /** `custom`: there is no server, only tools that the user described, each with an address of its own. */
  transport: z.enum(['streamable-http', 'stdio', 'custom']),
  /** Of a program that the companion runs: its name in the companion's file. */
  companionName: z.optional(z.string()),
  url: textSchema(2_000),
  /** Names of extra headers; their values are secret. */
  headerNames: z.array(z.string()),
  authentication: authenticationSchema,
  timeoutSeconds: z.number().check(z.int(), z.gte(1), z.lte(300)),
  retries: z.number().check(z.int(), z.gte(0), z.lte(5)),
  /** Requests a minute, at most; more wait for their turn. None where the user set none. */
  requestsPerMinute: z.optional(z.number().check(z.int(), z.gte(1), z.lte(6_000))),
  /** It may ask for answers of the model, each shown to the user before it is made and before it is sent. */
  sampling: z.optional(z.boolean()),
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
      /** Of a program that the companion runs: which one, told by a digest of its command. */
      program: z.optional(z.string()),
      /** A raster picture as a data: address: nothing is loaded by showing it. */
      icon: z.optional(z.string()),
      /** What it says it can do, by name: tools, resources, prompts, completions, logging, tasks … */
      capabilities: z.optional(z.array(z.string())),
      tools: z.array(
        z.object({
          name: z.string(),
          title: z.string(),
          description: z.string(),
          /** Characters of its input schema as JSON, for the budget of a GPT. */
          schemaSize: z.number(),
          fingerprint: z.string(),
          annotations: annotationsSchema,
          icon: z.optional(z.string()),
          /** The screen it brings along, a ui:// address of its own server. */
          appUri: z.optional(z.string()),
          /** False where it is for the model alone: screens of its server may not ask for it. */
          appMayCall: z.optional(z.boolean()),
          /** False where it is for the screens of its server alone: no model is told of it. */
          modelMayCall: z.optional(z.boolean()),
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
  /** `signIn`: where that is what it takes, and where it is done. */
  | { state: 'error'; failure: Failure; signIn?: SignInOffer }

/** What a person is told before they are sent away to sign in. */
export interface SignInOffer {
  serverId: string
  /** Where the window will go: prepared, so that it can be opened in the click itself. */
  url: string
  /** Whose page that is. */
  host: string
  scopes: string[]
  /** Those of `scopes` that were not asked for before. */
  added: string[]
  /** Who signed people in for this server until now, where that is somebody else. */
  changedFrom?: string
  /** What else a person should know before they go; going is agreeing to it. */
  doubts?: SignInDoubt[]
  /** Until when it is good; after that a fresh one is needed. */
  until: number
}

/** Something about a sign-in that is not wrong by itself, and that an attacker would like to go unseen. */
export type SignInDoubt =
  /** Others take part beside who signs people in. */
  | { kind: 'other-hosts'; hosts: string[] }
  /** The server's sign-in settings come from another host than the server's own. */
  | { kind: 'foreign-metadata'; server: string; metadata: string }
  /** Who signs in does not say whether sign-in codes are protected. */
  | { kind: 'no-pkce' }
  /** The sign-in is good for everything under this address. */
  | { kind: 'parent-resource'; resource: string }
