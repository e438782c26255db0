import { describe, expect, it } from 'vitest'
import { isLoopback, safeAddress } from './address.ts'
import { OAuthError } from './oauth-error.ts'

const ELSEWHERE = { local: false, inside: false }
const HERE = { local: true, inside: true }

describe('[A1.1] an address that a stranger named', () => {
  it.each([
    'https://example.com',
    'https://example.com:8443/a/b?c=d',
    'HTTPS://EXAMPLE.COM/',
    'https://[2001:db8::1]/x',
    'https://xn--bcher-kva.example/',
  ])('[A1.1] %s may be used', (address) => {
    expect(safeAddress(address, 'It', ELSEWHERE).protocol).toBe('https:')
  })

  it.each([
    'http://localhost',
    'http://localhost:1/x',
    'http://127.0.0.1:80/',
    'http://[::1]:65535?x',
    'HTTP://LOCALHOST/',
  ])('[A1.6] %s may be used where the server itself is on this machine, and only there', (address) => {
    expect(safeAddress(address, 'It', HERE).protocol).toBe('http:')
    expect(() => safeAddress(address, 'It', ELSEWHERE)).toThrow(OAuthError)
    expect(isLoopback(address)).toBe(true)
  })

  it.each([
    'http://localhost.evil.example',
    'http://localhost@evil.example',
    'http://127.0.0.1.evil.example',
    'http://127.0.0.2/',
    'http://127.1/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://[::ffff:127.0.0.1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://localhost:123456/',
    'http://localhost#x',
    'https://localhost#x',
    'https://example.com/#',
    'https://user@example.com',
    'https://:password@example.com',
    'https://example.com\\.evil.example',
    'https:\\\\example.com',
    'https:/example.com',
    'https:////example.com',
    ' https://example.com',
    'https://example.com\n',
    'https://exam\tple.com',
    'https://example.com/\u00a0',
    'https://example.com/\u200b',
    'https://',
    'https://[',
    'https://example.com:99999',
  ])('[A1.1] %j may not', (address) => {
    expect(() => safeAddress(address, 'It', HERE)).toThrow(OAuthError)
  })

  it.each([undefined, null, 7, true, {}, [], ['https://example.com'], new URL('https://example.com')])(
    '[A1.1] %j is none',
    (address) => {
      expect(() => safeAddress(address, 'It', HERE)).toThrow(/^It is not an address to use/)
    },
  )

  it('[A1.15] with credentials is not shown', () => {
    expect(() => safeAddress('https://user:canary@example.com', 'It', HERE)).toThrow(/^(?!.*canary)/s)
  })

  it('[A1.1] is shown short, on one line', () => {
    const thrown = (() => {
      try {
        return safeAddress(`x\n\u202e${'y'.repeat(10_000)}`, 'It', HERE)
      } catch (error) {
        return error as Error
      }
    })()
    expect((thrown as Error).message.length).toBeLessThan(150)
    expect((thrown as Error).message).not.toMatch(/[\n\u202e]/)
  })
})
