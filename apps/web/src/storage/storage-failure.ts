import { Failed, type FailureCode } from '#domain/failure.ts'

type Words = readonly [code: FailureCode, message: string]

const DENIED: Words = [
  'storage-denied',
  'This browser does not let the app store anything: allow site data for this address, or leave the private window.',
]
const WORDS = new Map<string, Words>([
  [
    'QuotaExceededError',
    ['storage-full', 'The browser has no room left for this app. Free space here or on the disk, then try again.'],
  ],
  [
    'DatabaseClosedError',
    [
      'storage-gone',
      'The database was closed under this tab, by a newer version of the app or because its data was cleared. Reload the page.',
    ],
  ],
  ['InvalidStateError', ['storage-gone', 'The database can no longer be used by this tab. Reload the page.']],
  [
    'VersionError',
    [
      'storage-newer',
      'What is stored here was written by a newer version of the app. Nothing was changed: reload to get that version.',
    ],
  ],
  ...['MissingAPIError', 'SecurityError', 'NotAllowedError'].map((name) => [name, DENIED] as const),
  ...['UnknownError', 'DataError', 'NotReadableError', 'OpenFailedError'].map(
    (name) =>
      [
        name,
        [
          'storage-damaged',
          'The browser cannot open the database of this app: its files may be damaged, or the disk is full or read-only.',
        ],
      ] as const,
  ),
])

/** An error and those it was made from, the inmost first: a wrapped one says more than its wrapper. */
function chainOf(cause: unknown, depth = 0): { name?: unknown; message?: unknown }[] {
  if (typeof cause !== 'object' || cause === null || depth > 3) return []
  const { inner, failures } = cause as { inner?: unknown; failures?: unknown }
  const first: unknown = Array.isArray(failures) ? failures[0] : undefined
  return [...chainOf(inner, depth + 1), ...chainOf(first, depth + 1), cause]
}

/**
 * Chromium has one name for a user who allows no storage and for files it cannot read: only its text tells them apart. A
 * private window of Firefox says that its state is invalid, as a database does that was closed.
 */
const isDenied = (isOpening: boolean) => (one: { name?: unknown; message?: unknown }) =>
  (one.name === 'UnknownError' && /denied permission/i.test(String(one.message))) ||
  (isOpening && one.name === 'InvalidStateError')

/** What the database threw, in words. Its own text may quote what was to be stored, so it is left out. */
export function storageFailure(cause: unknown, isOpening = false): Failed {
  if (cause instanceof Failed) return cause
  const chain = chainOf(cause)
  if (chain.some(isDenied(isOpening))) return new Failed(...DENIED)
  const names = chain.flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
  const words = names.map((name) => WORDS.get(name)).find((found) => found !== undefined)
  if (words) return new Failed(...words)
  return new Failed(
    'storage',
    `The database refused (${names[0] ?? 'no reason given'}). Reload the page and try again.`,
  )
}
