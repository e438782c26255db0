import { expect, test } from 'vitest'
import { failureCodes } from '#domain/failure.ts'
import { explain } from './explain.ts'

test.each(failureCodes)('%s is put into words, with the message of the failure', (code) => {
  const { title, text, action } = explain({ code, message: 'No answer from Weather after 30 s.' })
  expect(title).toMatch(/^[A-Z]/)
  expect(title).not.toMatch(/wrong|error|oops/i)
  expect(text).toContain('No answer from Weather after 30 s.')
  if (action && 'to' in action) expect(action.to).toMatch(/^\//)
  if (action) expect(action.label).not.toBe('')
})

test('a failure of a server leads to that server', () => {
  const { action } = explain({ code: 'sign-in-needed', message: '' }, { serverId: 'a/b' })
  expect(action).toEqual({ label: 'Open the server', to: '/servers/a%2Fb' })
})

test('what a server hid in its words is shown', () => {
  expect(explain({ code: 'tool-failed', message: 'a\u202Eb' }).text).toBe('a⟨U+202E⟩b')
})

test('a limit says when it is worth trying again', () => {
  expect(explain({ code: 'rate-limit', message: 'Slow down.', retryAt: 0 }).text).toMatch(/after .*\d/)
})
