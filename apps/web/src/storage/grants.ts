import { type Grant, grantSchema } from '#domain/grant.ts'
import { checked } from './checked.ts'
import type { Database } from './db.ts'
import { reading, writing } from './in-transaction.ts'

const isSame = (a: Grant, b: Grant) =>
  a.scopeId === b.scopeId && a.toolName === b.toolName && a.fingerprint === b.fingerprint && a.endpoint === b.endpoint

/** What the user no longer wants to be asked. */
export function createGrants(db: Database) {
  return {
    grantsFor: (serverIds: readonly string[]): Promise<Grant[]> =>
      reading(db, [db.grants], async () => db.grants.where('serverId').anyOf(serverIds).toArray()),

    /** One that is there already is not added again. */
    addGrant: (grant: Grant): Promise<void> =>
      writing(db, [db.grants], async () => {
        const row = checked(grantSchema, grant, 'grant')
        const same = await db.grants
          .where('serverId')
          .equals(row.serverId)
          .filter((other) => other.scope === row.scope && isSame(other, row))
          .count()
        if (same === 0) await db.grants.add(row)
      }),

    revoke: (id: string): Promise<void> => writing(db, [db.grants], async () => db.grants.delete(id)),

    revokeAll: (): Promise<void> => writing(db, [db.grants], async () => db.grants.clear()),
  }
}
