import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { completeIntegrity, type withoutIntegrity } from './complete-lockfile.mjs'
import { root } from './run.mjs'

const hash = `sha512-${'A'.repeat(86)}==`
const lock = (entry: object) => ({ '': {}, 'packages/mcp': {}, 'node_modules/one': { version: '1.0.0', ...entry } })

test('a package with a SHA-512 hash, and a linked workspace, are accepted', () => {
  expect(completeIntegrity(lock({ integrity: hash }), { asks: false })).toBe(false)
  expect(completeIntegrity(lock({ link: true }), { asks: false })).toBe(false)
})

test.each([
  ['no hash', {}],
  ['a SHA-1 hash', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }],
  ['an empty hash', { integrity: '' }],
  ['no hash, and optional', { optional: true }],
])('a package with %s is refused by name', (_, entry) => {
  expect(() => completeIntegrity(lock(entry), { asks: false })).toThrow('node_modules/one')
})

test('a package for another platform is listed, because its registry may not have it', () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  completeIntegrity(lock({ optional: true, cpu: ['arm64'], os: ['darwin'] }), { asks: false })
  expect(log.mock.calls.join()).toContain('1 packages of other platforms have no hash')
  log.mockRestore()
})

test('in our lockfile every package has a hash, but for those of other platforms', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Parameters<typeof withoutIntegrity>[0]
  }
  expect(Object.keys(packages).length).toBeGreaterThan(100)
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  expect(() => completeIntegrity(packages, { asks: false })).not.toThrow()
  log.mockRestore()
})
