import { OAuthError } from './oauth-error.ts'

// As it is written, not as it is understood: 0x7f000001 and 127.1 are loopback to a parser, and a trick to us.
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?([/?]|$)/i

export function isLoopback(address: string | URL): boolean {
  return LOOPBACK.test(String(address))
}

/**
 * An address that a stranger named, if it may be opened or asked: https, or http on this machine where the server itself
 * is on it.
 */
export function safeAddress(address: unknown, what: string, local: boolean): URL {
  const text = typeof address === 'string' ? address : ''
  const safe =
    (/^https:\/\/[^/\\]/i.test(text) || (local && LOOPBACK.test(text))) &&
    // Parsers drop these, people do not see them.
    !/[\p{C}\s\\]/u.test(text) &&
    URL.canParse(text)
  const url = safe ? new URL(text) : undefined
  if (!url || url.username || url.password || url.hash || text.includes('#')) {
    const shown = text.slice(0, 80).replace(/[\p{C}\s]+/gu, ' ')
    // Credentials in an address may be somebody's.
    throw new OAuthError(
      'unsafe-address',
      `${what} is not an address to use: ${shown.includes('@') ? 'it holds credentials' : `"${shown}"`}`,
    )
  }
  return url
}
