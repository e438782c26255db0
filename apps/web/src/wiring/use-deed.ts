import { useCallback, useState } from 'react'
import { type Failure, failureOf } from '#domain/failure.ts'

/** Runs one deed at a time and keeps what became of it, for a button and the words beside it. */
export function useDeed(): {
  isBusy: boolean
  failure: Failure | undefined
  run: <T>(deed: () => Promise<T>) => Promise<T | undefined>
  forget: () => void
} {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const run = useCallback(async <T>(deed: () => Promise<T>): Promise<T | undefined> => {
    setBusy(true)
    setFailure(undefined)
    try {
      return await deed()
    } catch (error) {
      setFailure(failureOf(error))
      return undefined
    } finally {
      setBusy(false)
    }
  }, [])
  const forget = useCallback(() => setFailure(undefined), [])
  return { isBusy, failure, run, forget }
}
