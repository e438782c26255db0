import { SESSION_HEADERS, STATELESS_HEADERS } from './questions.ts'

/** What a server has to send so that pages of an origin can use it, ready to be pasted. */
export const headerBlock = (origin: string, ownHeaders: readonly string[]): string =>
  [
    `Access-Control-Allow-Origin: ${origin}`,
    'Access-Control-Allow-Methods: GET, POST, DELETE, OPTIONS',
    `Access-Control-Allow-Headers: ${[...new Set(['content-type', 'authorization', ...ownHeaders, ...SESSION_HEADERS, ...STATELESS_HEADERS, 'last-event-id'])].join(', ')}`,
    'Access-Control-Expose-Headers: mcp-session-id, mcp-protocol-version, www-authenticate, retry-after',
    'Access-Control-Max-Age: 600',
  ].join('\n')

/** For whoever only describes itself to pages. */
export const readableBlock = (origin: string): string =>
  [
    `Access-Control-Allow-Origin: ${origin}`,
    'Access-Control-Allow-Methods: GET, POST, OPTIONS',
    'Access-Control-Allow-Headers: content-type, authorization, mcp-protocol-version',
  ].join('\n')
