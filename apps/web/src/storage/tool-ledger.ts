import { type LedgerEntry, type ListedDefinition, ledgerEntrySchema, noteTools, seen } from '#domain/tool-ledger.ts'
import { checked } from './checked.ts'
import type { Database } from './db.ts'
import { reading, writing } from './in-transaction.ts'

/** What every server's tools were and are: what changed is not used before the user has seen it. */
export function createToolLedger(db: Database) {
  const put = async (entries: readonly LedgerEntry[]) => {
    await db.toolLedger.bulkPut(entries.map((entry) => checked(ledgerEntrySchema, entry, 'tool')))
  }
  return {
    note: (serverId: string, endpoint: string, listed: readonly ListedDefinition[]): Promise<void> =>
      writing(db, [db.toolLedger], async () => {
        const known = await db.toolLedger.where('serverId').equals(serverId).toArray()
        await put(noteTools(serverId, known, listed, endpoint, Date.now()))
      }),

    /** The names of those that changed since the user last saw them. */
    changed: (serverId: string): Promise<Set<string>> =>
      reading(db, [db.toolLedger], async () => {
        const rows = await db.toolLedger.where('[serverId+state]').equals([serverId, 'changed']).toArray()
        return new Set(rows.map(({ toolName }) => toolName))
      }),

    /** The user has seen these as they are, by the fingerprint that was shown: one that has changed again meanwhile stays unseen. */
    see: (serverId: string, shown: readonly { toolName: string; fingerprint: string }[]): Promise<void> =>
      writing(db, [db.toolLedger], async () => {
        const known = await db.toolLedger.where('serverId').equals(serverId).toArray()
        const isShown = ({ toolName, fingerprint }: LedgerEntry) =>
          shown.some((one) => one.toolName === toolName && one.fingerprint === fingerprint)
        await put(known.filter(isShown).map((entry) => seen(entry, Date.now())))
      }),
  }
}
