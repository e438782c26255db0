import type { Database } from './db.ts'
import { forgetSecrets } from './forget-secrets.ts'

/** Longer than any sign-in may take, and than anybody looks at a form before saving it. */
const STRAY_MS = 6 * 3_600_000
const ATTEMPT_MS = 30 * 60_000
const TABLE = 'mcpOAuthTokens:'

/** Inside a transaction on all tables: forgets sign-ins that nobody came back from, and those for servers that were never saved. */
export async function purgeSignIns(db: Database, now: number): Promise<void> {
  const rows = await db.secrets.where('id').startsWith(TABLE).toArray()
  if (rows.length === 0) return
  const servers = new Set(await db.mcpServers.toCollection().primaryKeys())
  const serverOf = (id: string) => id.slice(TABLE.length, id.indexOf(':', TABLE.length))
  const gone = rows.filter(({ id, updatedAt }) => {
    const age = now - updatedAt
    return (age > ATTEMPT_MS && id.includes(':attempt ')) || (age > STRAY_MS && !servers.has(serverOf(id)))
  })
  await forgetSecrets(
    db,
    gone.map(({ id }) => id),
  )
  await db.mcpOAuthTokens.bulkDelete(gone.map(({ id }) => serverOf(id)).filter((id) => !servers.has(id)))
}
