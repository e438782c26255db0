import { loadOnce } from '../load-once.ts'
import type * as Recovery from './recovery.ts'

/** What is needed only when something goes another way than the plain one: loaded for that. */
export const recovery = loadOnce(async () => (loaded.recovery = await import('./recovery.ts')))
/** The same for whoever does not wait for it. */
export const loaded: { recovery?: typeof Recovery } = {}

/** The same. Where it can't be loaded, throws what `failure` makes: the reason why it was needed must not get lost. */
export const recoveryOr = (failure: (cause: unknown) => unknown): Promise<typeof Recovery> =>
  recovery().catch((cause: unknown) => {
    throw failure(cause)
  })
