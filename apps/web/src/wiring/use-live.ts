import { useEffect, useState } from 'react'
import { Database } from '#storage/db.ts'
import { observe } from '#storage/observe.ts'

// The page only reads: the engine opens, upgrades and writes.
const database = new Database()

const isSame = (a: readonly unknown[], b: readonly unknown[]) =>
  a.length === b.length && a.every((one, at) => Object.is(one, b[at]))

/** What a query finds, kept up to date. Undefined until it has run for these `deps`. */
export function useLive<T>(query: (db: Database) => Promise<T>, deps: readonly unknown[]): T | undefined {
  const [seen, setSeen] = useState<{ deps: readonly unknown[]; value: T }>()
  const [failure, setFailure] = useState<{ error: unknown }>()
  useEffect(
    () =>
      observe(() => query(database), {
        next: (value) => setSeen({ deps, value }),
        error: (error) => setFailure({ error }),
      }),
    deps,
  )
  // The boundary around the screen says what happened.
  if (failure) throw failure.error
  return seen && isSame(seen.deps, deps) ? seen.value : undefined
}
