import { loadOnce } from '../load-once.ts'

/** What is needed only when something goes another way than the plain one: loaded for that. */
export const recovery = loadOnce(() => import('./recovery.ts'))
