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
/** What may answer `initialize`: some servers name the newest revision they know of, and go on with a session. */
export const INITIALIZE_REVISIONS: readonly string[] = [...SESSION_REVISIONS, ...STATELESS_REVISIONS]

/** One revision let servers answer with an array of messages. */
export const allowsBatches = (revision: string | undefined): boolean => revision === '2025-03-26'
