import { expect, test } from 'vitest'
import { judgeAddress } from './question-address.ts'

test.each([
  ['a script', 'javascript:alert(1)'],
  ['data', 'data:text/html,<p>hello'],
  ['a file', 'file:///etc/passwd'],
  ['no address', 'not an address'],
  ['nothing', ''],
  ['a name before the host', 'https://good.com@evil.example/'],
  ['a name and a word', 'https://good.com:443@evil.example/'],
  ['an empty name', 'https://@evil.example/'],
  ['a backslash', 'https://evil.example\\@good.com/'],
  ['a line end', 'https://good.com\n.evil.example/'],
  ['a hidden character', 'https://good.com\u200B.evil.example/'],
  ['letters that turn around', 'https://good.com/\u202Emoc.live'],
  ['too much', `https://good.com/${'a'.repeat(9_000)}`],
])('[A5.2] an address is refused that is or has %s', (_, text) => {
  expect(judgeAddress(text)).toHaveProperty('refused')
})

test.each([
  ['punycode', 'https://xn--pypal-4ve.com/', /letters that can look like others/],
  ['the same in its own letters', 'https://pаypal.com/', /letters that can look like others/],
  ['no encryption', 'http://shop.example/', /not encrypted/],
  ['this computer', 'http://localhost:4114/confirm', /this very computer/],
  ['this computer by number', 'http://127.0.0.1/', /this very computer/],
  ['a private network', 'https://192.168.1.1/', /private network/],
  ['a private name', 'https://router.local/', /private network/],
  ['a bare name', 'https://intranet/', /private network/],
  ['the address of clouds', 'http://169.254.169.254/', /private network/],
  ['a number in disguise', 'http://0x7f000001/', /this very computer/],
  ['a number', 'https://93.184.216.34/', /by number/],
  ['great length', `https://good.com/${'a'.repeat(400)}`, /characters long/],
])('[A5.2] %s is warned of', (_, text, warning) => {
  const judged = judgeAddress(text)
  expect('warnings' in judged && judged.warnings.join(' ')).toMatch(warning)
})

test('an honest address has no warning, and is shown whole with its host apart', () => {
  expect(judgeAddress('https://pay.example:8443/order/7?a=b#c')).toEqual({
    href: 'https://pay.example:8443/order/7?a=b#c',
    before: 'https://',
    host: 'pay.example:8443',
    after: '/order/7?a=b#c',
    warnings: [],
  })
})
