/** Names further headers that are meant for the target. */
export const FORWARD_HEADER = 'x-switchboard-forward'

const PASSED = /^(authorization|content-type|accept|last-event-id|mcp-[a-z0-9-]+|dpop)$/
/** What belongs to this connection or to the browser, and to no target. */
const OURS =
  /^(host|origin|referer|cookie|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-length|via|forwarded|x-forwarded-.*|accept-encoding|proxy-.*|sec-.*|access-control-.*|x-switchboard-.*)$/
const KEPT = ['mcp-session-id', 'mcp-protocol-version', 'retry-after', 'www-authenticate', 'dpop-nonce']

/** On an answer of the relay itself, why it has none of the server. No server can send it: it is not among those kept. */
export const RELAY_ERROR_HEADER = 'x-switchboard-relay-error'

export const EXPOSED = [...KEPT, RELAY_ERROR_HEADER].join(', ')

/** What is sent on: the headers of MCP, and those that the app names one by one. Never our own token. */
export function requestHeaders(headers: Headers): Record<string, string> {
  const named = (headers.get(FORWARD_HEADER) ?? '').split(',').map((name) => name.trim().toLowerCase())
  const sent = [...headers].filter(([name]) => PASSED.test(name) || (named.includes(name) && !OURS.test(name)))
  return Object.fromEntries(sent)
}

/** What is sent back: nothing that a browser would keep, follow, run or show. */
export function responseHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const kept = KEPT.flatMap((name): [string, string][] =>
    headers[name] === undefined ? [] : [[name, String(headers[name])]],
  )
  return { ...Object.fromEntries(kept), 'content-type': harmlessType(String(headers['content-type'] ?? '')) }
}

function harmlessType(type: string): string {
  const [name = ''] = type.toLowerCase().split(';', 1)
  if (name.trim() === 'text/event-stream') return 'text/event-stream'
  return /^application\/([a-z0-9.+-]+\+)?json\s*$/.test(name.trim()) ? 'application/json' : 'application/octet-stream'
}
