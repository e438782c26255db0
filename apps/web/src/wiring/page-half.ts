import type { Change, Rows } from '#storage/changes.ts'
import type { Database } from '#storage/db.ts'
import { mendPageDatabase, setPageDatabase } from './page-database.ts'

/** What the page keeps of an engine that has no database. */
export interface PageHalf {
  /** Does here what was done there. */
  take(changes: readonly Change[]): Promise<void>
  /** All that was taken. */
  rows(): Promise<Rows | undefined>
  /** The engine is ready: with a database, or without. */
  ready(isInMemory: boolean): void
  /** A new engine begins with a database of its own: what was taken is forgotten. */
  forget(): void
}

/** Loaded only where there is no database. */
const memory = () => import('./page-memory.ts')

export function createPageHalf(): PageHalf {
  let kept: Promise<Database> | undefined
  let isShown = false
  return {
    async take(changes) {
      const { applyChanges, createMemoryDatabase } = await memory()
      kept ??= Promise.resolve(createMemoryDatabase())
      await applyChanges(await kept, changes)
    },
    async rows() {
      return kept && (await memory()).readRows(await kept)
    },
    ready(isInMemory) {
      if (!isInMemory) return mendPageDatabase()
      if (isShown || !kept) return
      isShown = true
      setPageDatabase(kept)
    },
    forget() {
      if (isShown) setPageDatabase()
      isShown = false
      kept = undefined
    },
  }
}
