/** Revisions without sessions, newest first. */
export const STATELESS_REVISIONS: readonly string[] = ['2026-07-28']
/** Revisions with `initialize` and a session, newest first. */
export const SESSION_REVISIONS: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
]

/** One revision let servers answer with an array of messages. */
export const allowsBatches = (revision: string | undefined): boolean => revision === '2025-03-26'
