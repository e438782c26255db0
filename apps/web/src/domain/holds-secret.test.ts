import { expect, test } from 'vitest'
import { holdsSecret } from './holds-secret.ts'

test.each([
  'sk-proj-abcdefghijklmnop1234',
  'ghp_abcdefghijklmnopqrstuvwxyz012345',
  'github_pat_11ABCDEFG0abcdefghij_klm',
  'glpat-abcdefghijklmnopqrst',
  'xoxb-123456789012-abcdef',
  'AKIAABCDEFGHIJKLMNOP',
  'AIzaSyA-abcdefghijklmnopqrstuvwxyz012345',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abcdefghijklmnop',
  '-----BEGIN OPENSSH PRIVATE KEY-----',
])('%s looks like a key, also in the middle of a text', (key) => {
  expect(holdsSecret(key)).toBe(true)
  expect(holdsSecret(`{"body":"here it is: ${key} bye"}`)).toBe(true)
})

test.each([
  'the task-list of sk-8',
  'sketch-book-for-everybody-here',
  'ghp_short',
  'AKIA is a city',
  'eyes.wide.shut',
  '-----BEGIN PUBLIC KEY-----',
  '3f0c1d2e-aaaa-bbbb-cccc-0123456789ab',
  'https://example.com/a/very/long/path/to/something?with=query',
])('%s does not', (text) => {
  expect(holdsSecret(text)).toBe(false)
})

test.each(['ey', 'ey-', 'eyaaaaaaaaaaaa-', '-----BEGIN ', '-----BEGIN A', 'gh', 'AIza '])(
  'a long text of %j is read once',
  (part) => {
    expect(holdsSecret(part.repeat(300_000))).toBe(false)
  },
)
