import { useCallback, useEffect, useRef, useState } from 'react'
import { type Failure, failureOf } from '#domain/failure.ts'

export interface Deed {
  isBusy: boolean
  failure: Failure | undefined
  /** `isWanted` is false once another was begun, this one was let go, or its screen has gone: then nobody waits for it. */
  run: <T>(deed: (isWanted: () => boolean) => Promise<T>) => Promise<T | undefined>
  /** What went wrong is not said any more. */
  forget: () => void
  /** Whatever comes of what is under way counts no more. */
  letGo: () => void
}

/** Runs one deed at a time and keeps what became of it, for a button and the words beside it. */
export function useDeed(): Deed {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const latest = useRef(0)
  useEffect(() => () => void (latest.current += 1), [])
  const run = useCallback(async <T>(deed: (isWanted: () => boolean) => Promise<T>): Promise<T | undefined> => {
    const mine = ++latest.current
    const isWanted = () => mine === latest.current
    setBusy(true)
    setFailure(undefined)
    try {
      return await deed(isWanted)
    } catch (error) {
      if (isWanted()) setFailure(failureOf(error))
      return undefined
    } finally {
      if (isWanted()) setBusy(false)
    }
  }, [])
  const forget = useCallback(() => setFailure(undefined), [])
  const letGo = useCallback(() => {
    latest.current += 1
    setBusy(false)
    setFailure(undefined)
  }, [])
  return { isBusy, failure, run, forget, letGo }
}
