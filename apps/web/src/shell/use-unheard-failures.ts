import { useEffect } from 'react'
import { Failed } from '#domain/failure.ts'
import { sayFailure } from '../features/chat/say-failure.ts'

/** A command that was refused, and whose refusal no screen shows. */
export function sayUnheard(event: Pick<PromiseRejectionEvent, 'reason' | 'preventDefault'>): void {
  if (!(event.reason instanceof Failed)) return
  event.preventDefault()
  sayFailure(event.reason)
}

/** No deed of the user fails in silence: where a screen gives a command and does not look back, it is told in passing. */
export function useUnheardFailures(): void {
  useEffect(() => {
    addEventListener('unhandledrejection', sayUnheard)
    return () => removeEventListener('unhandledrejection', sayUnheard)
  }, [])
}
