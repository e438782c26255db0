import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Database } from '#storage/db.ts'
import { observe } from '#storage/observe.ts'
import { onPageDatabase, pageDatabase } from './page-database.ts'

const isSame = (a: readonly unknown[], b: readonly unknown[]) =>
  a.length === b.length && a.every((one, at) => Object.is(one, b[at]))

/** What a query finds, kept up to date. Undefined until it has run for these `deps`. */
export function useLive<T>(query: (db: Database) => Promise<T>, deps: readonly unknown[]): T | undefined {
  const [seen, setSeen] = useState<{ deps: readonly unknown[]; value: T }>()
  const [failure, setFailure] = useState<{ error: unknown }>()
  const database = useSyncExternalStore(onPageDatabase, pageDatabase)
  useEffect(() => {
    let end: (() => void) | undefined
    let isOver = false
    database.then(
      (db) => {
        if (isOver) return
        end = observe(() => query(db), {
          next: (value) => setSeen({ deps, value }),
          error: (error) => setFailure({ error }),
        })
      },
      () => {},
    )
    return () => {
      isOver = true
      end?.()
    }
  }, [database, ...deps])
  // The boundary around the screen says what happened.
  if (failure) throw failure.error
  return seen && isSame(seen.deps, deps) ? seen.value : undefined
}
