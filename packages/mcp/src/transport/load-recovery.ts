import { loadOnce } from '../load-once.ts'
import type * as Recovery from './recovery.ts'

/** What is needed only when something goes another way than the plain one: loaded for that. */
export const recovery = loadOnce(async () => (loaded.recovery = await import('./recovery.ts')))
/** The same for whoever does not wait for it. */
export const loaded: { recovery?: typeof Recovery } = {}
