import { closedError } from './errors.ts'

/** What can be closed. */
export interface Closable {
  closed: boolean
  /** Aborted when it is closed. Made for whoever must hear of that, as it is costly in Node: a plain call needs none. */
  closing?: AbortController | undefined
}

/** The signal that it is closed. */
export function closingSignal(closable: Closable): AbortSignal {
  closable.closing ??= new AbortController()
  if (closable.closed) closable.closing.abort(closedError())
  return closable.closing.signal
}
