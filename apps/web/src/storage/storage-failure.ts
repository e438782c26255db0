import { Failed } from '#domain/failure.ts'

const WORDS = new Map([
  [
    'QuotaExceededError',
    'The browser has no room left for this app, so nothing was saved. Delete old chats or free space on the disk, then try again.',
  ],
  [
    'DatabaseClosedError',
    'The database was closed under this tab, by a newer version of the app or because its data was cleared. Reload the page.',
  ],
  ['InvalidStateError', 'The database can no longer be used by this tab. Reload the page.'],
  [
    'VersionError',
    'What is stored here was written by a newer version of the app. Nothing was changed: reload to get that version.',
  ],
  ...['MissingAPIError', 'OpenFailedError', 'SecurityError', 'UnknownError', 'NotAllowedError'].map(
    (name) =>
      [
        name,
        'This browser does not let the app store anything: allow site data for this address, or leave the private window.',
      ] as const,
  ),
])

/** The names of an error and of those it was made from; a wrapped one says more than its wrapper. */
function namesOf(cause: unknown, depth = 0): string[] {
  if (typeof cause !== 'object' || cause === null || depth > 3) return []
  const { name, inner, failures } = cause as { name?: unknown; inner?: unknown; failures?: unknown }
  const first: unknown = Array.isArray(failures) ? failures[0] : undefined
  return [...namesOf(inner, depth + 1), ...namesOf(first, depth + 1), ...(typeof name === 'string' ? [name] : [])]
}

/** What the database threw, in words. Its own text may quote what was to be stored, so it is left out. */
export function storageFailure(cause: unknown): Failed {
  if (cause instanceof Failed) return cause
  const names = namesOf(cause)
  const words = names.map((name) => WORDS.get(name)).find((found) => found !== undefined)
  return new Failed(
    'storage',
    words ?? `The database refused (${names[0] ?? 'no reason given'}). Reload the page and try again.`,
  )
}
