import { liveQuery } from 'dexie'

/** Runs a query now, and again whenever what it read has changed, in any tab and either half. Returns how to end it. */
export function observe<T>(
  query: () => Promise<T>,
  hear: { next: (value: T) => void; error: (error: unknown) => void },
): () => void {
  const subscription = liveQuery(query).subscribe(hear)
  return () => subscription.unsubscribe()
}
