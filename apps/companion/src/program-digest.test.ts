import { expect, test } from 'vitest'
import { programDigest } from './program-digest.ts'

const spec = { command: 'npx', args: ['-y', 'server'], env: { API_KEY: 'canary', NODE_OPTIONS: '' }, cwd: '/home/ada' }

test.each([
  ['another command', { command: 'bunx' }],
  ['another argument', { args: ['-y', 'server@2'] }],
  ['arguments cut elsewhere', { args: ['-y server'] }],
  ['another folder', { cwd: '/tmp' }],
  ['another variable', { env: { ...spec.env, DEBUG: '1' } }],
  ['one variable less', { env: { NODE_OPTIONS: '' } }],
  ['a variable that loads other code', { env: { ...spec.env, NODE_OPTIONS: '--import /tmp/evil.mjs' } }],
])('[A7.4] %s is another program', (_what, change) => {
  expect(programDigest({ ...spec, ...change })).not.toBe(programDigest(spec))
})

test('[A7.4] a key that was renewed, or the order of the file, makes no other program of it', () => {
  expect(programDigest({ ...spec, env: { NODE_OPTIONS: '', API_KEY: 'another' } })).toBe(programDigest(spec))
})

test('[A7.4] it says nothing of the command', () => {
  expect(programDigest(spec)).toMatch(/^sha256-[\w-]{43}$/)
})
