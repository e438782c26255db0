import { useEffect, useState } from 'react'
import type { Database } from '#storage/db.ts'
import { observe } from '#storage/observe.ts'
import { openDatabase } from '#storage/open.ts'

// The page only reads. What is wrong with the database the engine says, which opens the same.
let opened: Promise<Database> | undefined
const openOnce = () => (opened ??= openDatabase(() => {}))

const isSame = (a: readonly unknown[], b: readonly unknown[]) =>
  a.length === b.length && a.every((one, at) => Object.is(one, b[at]))

/** What a query finds, kept up to date. Undefined until it has run for these `deps`. */
export function useLive<T>(query: (db: Database) => Promise<T>, deps: readonly unknown[]): T | undefined {
  const [seen, setSeen] = useState<{ deps: readonly unknown[]; value: T }>()
  const [failure, setFailure] = useState<{ error: unknown }>()
  useEffect(() => {
    let end: (() => void) | undefined
    let isOver = false
    openOnce().then(
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
  }, deps)
  // The boundary around the screen says what happened.
  if (failure) throw failure.error
  return seen && isSame(seen.deps, deps) ? seen.value : undefined
}
