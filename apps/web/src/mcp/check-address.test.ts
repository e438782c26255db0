import { expect, test } from 'vitest'
import { checkAddress } from './check-address.ts'

test.each([
  ['https://example.com/mcp', 'https://example.com/mcp'],
  [' https://example.com ', 'https://example.com/'],
  ['https://EXAMPLE.com:443/a?b=c', 'https://example.com/a?b=c'],
  ['http://localhost:4114/demo/mcp', 'http://localhost:4114/demo/mcp'],
  ['http://127.0.0.1:3000/mcp', 'http://127.0.0.1:3000/mcp'],
  ['http://[::1]:3000/', 'http://[::1]:3000/'],
  ['http://tools.localhost/', 'http://tools.localhost/'],
])('%s is an address', (text, address) => {
  expect(checkAddress(text)).toBe(address)
})

test.each([
  ['', /no address/],
  ['example.com/mcp', /no address/],
  ['javascript:alert(1)', /https/],
  ['file:///etc/passwd', /https/],
  ['ws://example.com', /https/],
  ['http://example.com/mcp', /example\.com needs https/],
  ['http://192.168.1.5/mcp', /needs https/],
  ['http://localhost.example.com/', /needs https/],
  ['http://127.0.0.1.example.com/', /needs https/],
  ['https://user:pass@example.com/', /Leave name and password out/],
  ['https://example.com/#token', /from # on/],
])('%s is refused, with a reason and a way out', (text, reason) => {
  expect(() => checkAddress(text)).toThrow(reason)
})

test('a refused address is not repeated where it may hold a password', () => {
  expect(() => checkAddress('https://user:hunter22@example.com/')).toThrow(/^(?!.*hunter22)/)
})
