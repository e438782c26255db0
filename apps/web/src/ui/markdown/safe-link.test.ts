import { expect, test } from 'vitest'
import { isMisleading, safeLink } from './safe-link.ts'

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

const misleads = (text: string, address: string) => {
  const link = safeLink(address)
  if (!link) throw new Error('no link')
  return isMisleading(text, link)
}

test.each([
  ['google.com', 'http://evil.example/'],
  ['https://google.com/search', 'https://evil.example/'],
  ['Sign in at www.google.com now', 'https://evil.example/'],
  ['google.com', 'https://google.com.evil.example/'],
  ['google。com', 'https://evil.example/'],
  ['support@bank.example', 'mailto:someone@evil.example'],
  ['https://google.com@evil.example', 'https://google.com@evil.example'],
  ['click here', 'https://google.com:443@evil.example/'],
  ['docs.example.com', 'https://example.com/'],
  ['http://10.0.0.1/', 'https://evil.example/'],
  ['google\u2024com', 'https://evil.example/'],
  ['google\uFF0Ecom', 'https://evil.example/'],
  ['google\uA4F8com', 'https://evil.example/'],
  ['https\uFF1A\uFF0F\uFF0Fintranet', 'https://evil.example/'],
  ['https://localhost', 'https://evil.example/'],
  ['http://intranet/x', 'https://evil.example/'],
  ['https://user@intranet:8080', 'https://evil.example/'],
  ['https://[::1]/', 'https://evil.example/'],
  ['http://2130706433/', 'https://evil.example/'],
  ['google.sh', 'https://evil.example/'],
  ['bank.zip', 'https://evil.example/'],
  ['//google.sh', 'https://evil.example/'],
  ['google.sh/login', 'https://evil.example/'],
  ['bank.md/login', 'https://evil.example/'],
])('the text %j misleads about %s', (text, address) => {
  expect(misleads(text, address)).toBe(true)
})

test.each([
  ['google.com', 'https://www.google.com/search?q=a'],
  ['https://Example.com/a', 'https://example.com/b'],
  ['example.com', 'https://docs.example.com/'],
  ['www.example.com', 'https://example.com/'],
  ['the documentation', 'https://example.com/'],
  ['README.md', 'https://code.example/a/README.md'],
  ['Version 3.14', 'https://example.com/'],
  ['someone@example.com', 'mailto:someone@example.com'],
  ['аpple.com', 'https://аpple.com/'],
  ['http://localhost:3000/x', 'http://localhost:3000/'],
  ['http://intranet/x', 'http://intranet/x'],
  ['https://[::1]/', 'https://[::1]/'],
  ['http://127.0.0.1/', 'http://2130706433/'],
  ['https://example.com/get?file=bank.zip', 'https://example.com/get?file=bank.zip'],
  ['https://example.com…', 'https://example.com/long'],
  ['src/main.rs', 'https://code.example/src/main.rs'],
  ['./install.sh', 'https://code.example/install.sh'],
  ['Read this… then go on', 'https://example.com/'],
])('the text %j does not mislead about %s', (text, address) => {
  expect(misleads(text, address)).toBe(false)
})

test('a file name in code that could be a site is a file', () => {
  const link = safeLink('https://code.example/install.sh')!
  expect(isMisleading('install.sh', link, true)).toBe(false)
  expect(isMisleading('install.sh', link)).toBe(true)
  expect(isMisleading('google.com', link, true)).toBe(true)
})
