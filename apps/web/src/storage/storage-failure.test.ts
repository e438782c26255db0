import { expect, test } from 'vitest'
import { Failed } from '#domain/failure.ts'
import { storageFailure } from './storage-failure.ts'

const named = (name: string, more: object = {}) => Object.assign(new Error('secret row'), { name, ...more })
const said = (cause: unknown) => storageFailure(cause).failure.message

test('[R-33] a full disk is said as such, however it is wrapped', () => {
  const quota = named('QuotaExceededError')
  for (const cause of [quota, named('AbortError', { inner: quota }), named('BulkError', { failures: [quota] })])
    expect(said(cause)).toMatch(/^The browser has no room left/)
})

test('each thing a database does has its next step', () => {
  expect(said(named('DatabaseClosedError'))).toMatch(/Reload the page\.$/)
  expect(said(named('VersionError'))).toMatch(/newer version/)
  expect(said(named('OpenFailedError', { inner: named('UnknownError') }))).toMatch(/may be damaged/)
  expect(said(named('SecurityError'))).toMatch(/allow site data/)
  expect(said(named('MissingAPIError'))).toMatch(/allow site data/)
})

test('[R-35] who allows no storage is not told that their files are damaged', () => {
  const denied = Object.assign(new Error('The user denied permission to access the database.'), {
    name: 'UnknownError',
  })
  expect(storageFailure(named('OpenFailedError', { inner: denied })).failure.code).toBe('storage-denied')
  expect(storageFailure(named('UnknownError')).failure.code).toBe('storage-damaged')
  expect(storageFailure(named('InvalidStateError'), true).failure.code).toBe('storage-denied')
  expect(storageFailure(named('InvalidStateError')).failure.code).toBe('storage-gone')
})

test('what the database quotes of a row is never repeated', () => {
  for (const cause of [named('ConstraintError'), 'secret row', undefined]) expect(said(cause)).not.toMatch(/secret/)
  expect(said(named('ConstraintError'))).toMatch(/^The database refused \(ConstraintError\)/)
  expect(said(undefined)).toMatch(/no reason given/)
})

test('what failed in our own words keeps them', () => {
  const own = new Failed('not-found', 'x')
  expect(storageFailure(own)).toBe(own)
})
