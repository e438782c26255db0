import { expect, test } from 'vitest'
import { safeLink } from './safe-link.ts'

test.each([
  ['https://example.com/a?b#c', 'example.com'],
  ['HTTP://EXAMPLE.com:8080', 'example.com:8080'],
  ['mailto:someone@example.com', 'someone@example.com'],
  ['https://bank.example@evil.example/', 'evil.example'],
  ['https://аpple.com/', 'xn--pple-43d.com'],
  ['https:\\\\evil.example', 'evil.example'],
])('%s leads to %s', (address, host) => {
  expect(safeLink(address)?.host).toBe(host)
})

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:https://example.com/1',
  'about:blank',
  'ftp://example.com',
  'intent://scan/#Intent;end',
  'view-source:https://example.com',
  '//example.com/no-scheme',
  '/relative',
  '#/settings/vault',
  '',
])('%j leads nowhere', (address) => {
  expect(safeLink(address)).toBeUndefined()
})
