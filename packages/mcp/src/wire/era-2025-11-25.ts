import type { Era } from './era.ts'

/** The era of sessions: all revisions up to this one. */
export const sessionEra = (revision: string): Era => ({
  revision,
  stateless: false,
  meta: () => undefined,
  allows: () => true,
})
