import * as z from 'zod/mini'
import { idSchema, timeSchema } from './text.ts'

/** A secret as it lies in the database. Its id, `table:row:field`, and its version are authenticated with it. */
export const sealedSchema = z.object({
  id: idSchema,
  version: z.number(),
  iv: z.instanceof(Uint8Array),
  ciphertext: z.instanceof(Uint8Array),
  updatedAt: timeSchema,
})
export type Sealed = z.infer<typeof sealedSchema>

export const secretId = (table: 'mcpServers' | 'modelConnections' | 'mcpOAuthTokens', row: string, field: string) =>
  `${table}:${row}:${field}`

/** Whether a secret is a key or sign-in that somebody would miss, not something the app keeps for a while by itself. */
export const isKeyOfUser = (id: string): boolean => !/^mcpServers:(companion:|[^:]+:(call|task):)/.test(id)

/** What a call needs to go on once its questions are answered: the server's state, or the session it waits in. */
export const suspendedId = ({ serverId, id }: { serverId: string; id: string }) =>
  secretId('mcpServers', serverId, `call:${id}`)

/** What it takes to find a task of a server again. */
export const taskSecretId = ({ serverId, id }: { serverId: string; id: string }) =>
  secretId('mcpServers', serverId, `task:${id}`)

/** Tokens of one server: sealed, but for when they end and what they allow. */
export const oauthTokensSchema = z.object({
  serverId: idSchema,
  secretId: idSchema,
  expiresAt: z.optional(timeSchema),
  scope: z.optional(z.string()),
  updatedAt: timeSchema,
})
export type OAuthTokens = z.infer<typeof oauthTokensSchema>
