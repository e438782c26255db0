import type { Database } from './db.ts'

export const VAULT = 'vault'

/** What storage knows of the vault's row: it counts its writes, so that two tabs do not overwrite each other's. */
export interface Revised {
  revision: number
}

export const revisionOf = (value: unknown): number =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Revised>).revision === 'number'
    ? (value as Revised).revision
    : 0

/** Inside a transaction on secrets and settings: removes the secrets whose ids begin so. */
export async function forgetSecrets(db: Database, prefixes: readonly string[]): Promise<void> {
  if (prefixes.length === 0) return
  const removed = await db.secrets
    .where('id')
    .startsWithAnyOf([...prefixes])
    .delete()
  const row = await db.settings.get(VAULT)
  // A vault that is sealing everything anew in another tab would otherwise bring them back.
  if (removed > 0 && row)
    await db.settings.put({ key: VAULT, value: { ...(row.value as object), revision: revisionOf(row.value) + 1 } })
}
