import { type Server, serverSchema } from '#domain/server.ts'
import { checked } from './checked.ts'
import type { Database } from './db.ts'
import { forgetSecrets } from './forget-secrets.ts'
import { reading, writing } from './in-transaction.ts'
import { servers } from './live.ts'
import { originOf } from './origin-of.ts'
import { bringBack, findRow, isThere, markDeleted, unlessDeleted } from './soft-delete.ts'

const WHAT = 'server'

export type NewServer = Omit<
  Server,
  'id' | 'createdAt' | 'updatedAt' | 'deletedAt' | 'found' | 'sessionId' | 'lastConnectedAt'
>

/** What the engine found out about a server, as against what the user said of it. */
export type LearntOfServer = Partial<Pick<Server, 'found' | 'sessionId' | 'lastConnectedAt'>> & { trusted?: false }

export const secretsOfServer = (id: string) => [`mcpServers:${id}:`, `mcpOAuthTokens:${id}:`]

export function newServer(given: NewServer, id: string = crypto.randomUUID()): Server {
  const now = Date.now()
  return checked(serverSchema, { ...given, id, createdAt: now, updatedAt: now }, WHAT)
}

/** Inside a transaction: nobody is signed in any more. */
async function forgetSignIn(db: Database, id: string): Promise<void> {
  await forgetSecrets(db, [`mcpOAuthTokens:${id}:`])
  await db.mcpOAuthTokens.delete(id)
}

const isElsewhere = (a: Server, b: Server) =>
  a.transport !== b.transport || a.companionName !== b.companionName || originOf(a.url) !== originOf(b.url)

/** MCP servers, without their secrets. */
export function createServers(db: Database) {
  return {
    server: (id: string): Promise<Server | undefined> =>
      reading(db, [db.mcpServers], async () => unlessDeleted(await db.mcpServers.get(id))),

    servers: (): Promise<Server[]> => reading(db, [db.mcpServers], async () => servers(db)),

    /** `id`: what it was called while it was tried. */
    add: (given: NewServer, id?: string): Promise<Server> =>
      writing(db, [db.mcpServers], async () => {
        const row = newServer(given, id)
        await db.mcpServers.add(row)
        return row
      }),

    /** Where the address now belongs to somebody else, the secrets are gone: nobody said that they are for them. */
    change: (id: string, given: Partial<NewServer>): Promise<Server> =>
      writing(db, [db.mcpServers, db.secrets, db.settings, db.mcpOAuthTokens], async () => {
        const found = await findRow(db.mcpServers, id, WHAT)
        const { createdAt, deletedAt } = found
        const row = checked(serverSchema, { ...found, ...given, id, createdAt, deletedAt, updatedAt: Date.now() }, WHAT)
        if (!isElsewhere(found, row)) {
          // Who signs in otherwise is not who signed in.
          if (JSON.stringify(found.authentication) !== JSON.stringify(row.authentication)) await forgetSignIn(db, id)
          await db.mcpServers.put(row)
          return row
        }
        const { found: _, sessionId: __, lastConnectedAt: ___, ...fresh } = row
        await forgetSecrets(db, secretsOfServer(id))
        await db.mcpOAuthTokens.delete(id)
        await db.mcpServers.put(fresh)
        return fresh
      }),

    /** Nobody is signed in any more, and nobody is known to who signs people in. */
    forgetSignIn: (id: string): Promise<void> =>
      writing(db, [db.secrets, db.settings, db.mcpOAuthTokens], () => forgetSignIn(db, id)),

    /** A server that is gone by now is left alone. */
    learn: (id: string, learnt: LearntOfServer): Promise<void> =>
      writing(db, [db.mcpServers], async () => {
        const found = unlessDeleted(await db.mcpServers.get(id))
        if (found) await db.mcpServers.put(checked(serverSchema, { ...found, ...learnt, id }, WHAT))
      }),

    /** Tells how many GPTs use it and how many grants go with it. */
    remove: (id: string): Promise<{ gpts: number; grants: number }> =>
      writing(db, [db.mcpServers, db.gpts, db.grants], async () => {
        await markDeleted(db.mcpServers, id, WHAT)
        const gpts = await db.gpts.filter((gpt) => isThere(gpt) && gpt.tools.serverIds.includes(id)).count()
        return { gpts, grants: await db.grants.where('serverId').equals(id).count() }
      }),

    restore: (id: string): Promise<void> =>
      writing(db, [db.mcpServers], async () => {
        await bringBack(db.mcpServers, id, WHAT)
      }),
  }
}
