import type { Sealed } from '#domain/sealed.ts'
import type { VaultRecord } from './vault-record.ts'

/** What the vault needs of storage. */
export interface VaultStore {
  /** The vault's record as it was stored, and these secrets or all of them, as they are at one moment. */
  read(ids?: readonly string[]): Promise<{ record: unknown; sealed: Sealed[] }>
  /** Stores all of it while the record still has the revision `expected` (0: there is none). False where another tab was faster. */
  commit(
    expected: number,
    change: { record: VaultRecord; put?: readonly Sealed[]; remove?: readonly string[] },
  ): Promise<boolean>
}
