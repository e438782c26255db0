import { OAuthError } from './oauth-error.ts'

// As it is written, not as it is understood: 0x7f000001 and 127.1 are loopback to a parser, and a trick to us.
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?([/?]|$)/i

export function isLoopback(address: string | URL): boolean {
  return LOOPBACK.test(String(address))
}

// Hosts that only this machine or its network reaches, as a parser writes them.
const PRIVATE =
  /^((.*\.)?localhost\.?|(0|10|127|169\.254|172\.(1[6-9]|2\d|3[01])|192\.168)\.[\d.]+|\[(::|f[cd]|fe[89ab]).*)$/

/** Where the addresses of strangers may lead: never further inside than the server itself is. */
export interface Reach {
  /** The server is on this machine, so that http to this machine is no trick. */
  local: boolean
  /** The server is on this machine or in its network. */
  inside: boolean
}

export const reachOf = (server: URL): Reach => ({ local: isLoopback(server), inside: PRIVATE.test(server.hostname) })

/**
 * An address that a stranger named, if it may be opened or asked: https, or http on this machine where the server itself
 * is on it; and into this network only for a server that is in it.
 */
export function safeAddress(address: unknown, what: string, { local, inside }: Reach): URL {
  const text = typeof address === 'string' ? address : ''
  const safe =
    (/^https:\/\/[^/\\]/i.test(text) || (local && LOOPBACK.test(text))) &&
    // Parsers drop these, people do not see them.
    !/[\p{C}\s\\]/u.test(text) &&
    URL.canParse(text)
  const url = safe ? new URL(text) : undefined
  const tooDeep = url && !inside && PRIVATE.test(url.hostname)
  if (!url || tooDeep || url.username || url.password || url.hash || text.includes('#')) {
    const shown = text.slice(0, 80).replace(/[\p{C}\s]+/gu, ' ')
    // Credentials in an address may be somebody's.
    throw new OAuthError(
      'unsafe-address',
      `${what} is not an address to use: ${shown.includes('@') ? 'it holds credentials' : `"${shown}"`}`,
    )
  }
  return url
}
