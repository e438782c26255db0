import { seeded } from '@switchboard/testkit/fault-oracle'

const SERVER = 'https://mcp.example'
const HOUSE = 'https://as.example'
export const SERVER_URL = `${SERVER}/mcp`
export const REDIRECT_URL = 'https://app.example/callback'

/** Everything a fuzzed run is made of: what the servers answer, what is stored, what people bring back. */
export interface HostileWorld {
  challenge: string | undefined
  status: 401 | 403
  storage: Map<string, string>
  fetch: (url: string, init: RequestInit) => Promise<Response>
  callback: (url: URL) => URLSearchParams
  confirms: boolean
  legacy: boolean
  asked: { url: string; sent: string }[]
}

const WRONG: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  '',
  ' ',
  'x',
  '\u0000',
  '\u202e\u0007',
  'ключ🔑',
  [],
  {},
  [null],
  [[]],
  ['x', 7],
  [{}],
  { toString: 'x' },
  { length: 1, 0: 'x' },
  '__proto__',
  'constructor',
  'x'.repeat(5000),
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  'http://169.254.169.254/',
  'http://127.0.0.1:1/',
  'https://evil.example',
  'https://user:pass@as.example/token',
  'https://as.example/%00',
  'https://as.example:99999/',
  'https://[',
  HOUSE,
  `${HOUSE}/`,
  SERVER,
  SERVER_URL,
  [HOUSE],
  ['https://evil.example', HOUSE],
  ['S256'],
  '9'.repeat(400),
  'Bearer',
  'DPoP',
  'N_A',
]

const RAW = [
  '',
  'null',
  '[]',
  '7',
  '"x"',
  '{',
  '{"a":',
  '<!doctype html><title>x</title>',
  '\uFEFF{}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '['.repeat(5000),
  `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`,
  'x'.repeat(300_000),
  ' '.repeat(100_000),
]

const CHALLENGES = [
  '',
  'Bearer',
  'Bearer ',
  'bearer realm=x',
  'Bearer scope="a b"',
  'Bearer scope=a, error=invalid_token',
  'Bearer scope="\\"a\\" b',
  'Basic realm="a, b=c", Bearer scope="x"',
  'DPoP error="use_dpop_nonce"',
  'Bearer error="insufficient_scope", scope="more rights"',
  'Bearer error="insufficient_scope"',
  'Bearer error="insufficient_scope", scope="\u0080\u009b31m \u00e9"',
  'Bearer resource_metadata=""',
  'Bearer resource_metadata="http://169.254.169.254/"',
  'Bearer resource_metadata="javascript:alert(1)"',
  'Bearer resource_metadata="https://evil.example/x"',
  `Bearer resource_metadata="${SERVER}/.well-known/oauth-protected-resource/mcp"`,
  `Bearer ${'a="\\'.repeat(2000)}`,
  `Bearer ${'scope='.repeat(3000)}`,
  `Bearer ${' ,='.repeat(5000)}`,
  `Bearer scope="${'s '.repeat(8000)}"`,
]

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The same number gives the same world. */
export function createHostileWorld(seed: number): HostileWorld {
  const random = seeded(seed * 7919 + 1)
  const roll = (below: number): number => Math.floor(random() * below)
  const pick = <T>(from: readonly T[]): T => from[roll(from.length)]!
  const once = (in_: number): boolean => roll(in_) === 0

  /** A good document, with some of its fields spoilt. */
  const spoil = (good: Record<string, unknown>): Record<string, unknown> => {
    const document = { ...good }
    for (let left = 1 + roll(2); left > 0; left--) {
      const name = once(8) ? pick(['__proto__', 'constructor', 'toString', 'x']) : pick(Object.keys(good))
      if (once(4)) delete document[name]
      else Object.defineProperty(document, name, { value: pick(WRONG), enumerable: true, configurable: true })
    }
    return document
  }
  // Most parts are good, so that the others are reached.
  const bad = new Set(['resource', 'house', 'register', 'token', 'storage', 'callback'].filter(() => once(4)))
  const asText = (document: Record<string, unknown>, part: string): string => {
    if (!bad.has(part)) return JSON.stringify(document)
    if (once(12)) return pick(RAW)
    const text = JSON.stringify(spoil(document))
    if (!once(12)) return text
    // One character changed, or the end lost.
    const at = roll(text.length)
    return once(2)
      ? text.slice(0, at)
      : text.slice(0, at) + pick(['"', '}', ',', '\\', '\u0000', '9']) + text.slice(at + 1)
  }
  const answer = (part: string, document: Record<string, unknown>, status = 200): Response => {
    const code =
      bad.has(part) && once(6)
        ? pick([200, 201, 202, 204, 301, 302, 303, 307, 308, 400, 401, 403, 404, 418, 429, 500, 503])
        : status
    const headers: Record<string, string> = { 'content-type': pick(['application/json', 'text/html', 'x']) }
    if (code > 299 && code < 400)
      headers['location'] = pick(['https://evil.example/', '/x', 'http://[', 'unix:///x', ''])
    if (once(10)) headers['dpop-nonce'] = pick(['n', 'n'.repeat(2000), ' '])
    const text = code === 204 ? null : asText(document, part)
    return new Response(
      bad.has(part) && once(30) && text ? new Uint8Array([0xff, 0xfe, 0x7b, ...new TextEncoder().encode(text)]) : text,
      {
        status: code,
        headers,
      },
    )
  }

  const path = pick(['', '', '', '/tenant', '/a/b/'])
  const issuer = HOUSE + path
  const resource = once(6) ? SERVER : SERVER_URL
  const metadata = {
    issuer,
    authorization_endpoint: `${HOUSE}/authorize`,
    token_endpoint: `${HOUSE}/token`,
    registration_endpoint: `${HOUSE}/register`,
    revocation_endpoint: `${HOUSE}/revoke`,
    code_challenge_methods_supported: ['S256'],
    scopes_supported: ['a', 'offline_access'],
    grant_types_supported: ['authorization_code'],
    token_endpoint_auth_methods_supported: pick([['none'], ['client_secret_basic'], ['client_secret_post'], undefined]),
    client_id_metadata_document_supported: once(3),
    authorization_response_iss_parameter_supported: true,
  }
  const tokens = {
    access_token: 'canary-new-access',
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token: 'canary-new-refresh',
    scope: 'a',
  }
  const failure = {
    error: pick(['invalid_grant', 'invalid_client', 'x', 'use_dpop_nonce', '\u0007']),
    error_description: 'x',
  }
  const registered = { client_id: 'client', client_secret: 'canary-new-secret', redirect_uris: [REDIRECT_URL] }
  const kept = {
    access_token: 'canary-old-access',
    token_type: 'Bearer',
    refresh_token: 'canary-old-refresh',
    scope: 'a',
    issuer,
    resource,
    obtained_at: performance.timeOrigin,
    expires_in: 3600,
  }

  const storage = new Map<string, string>()
  if (once(2)) storage.set(`tokens ${SERVER_URL}`, asText(kept, 'storage'))
  const clientKey = `client ${issuer} ${REDIRECT_URL}`
  if (once(2))
    storage.set(clientKey, asText({ client_id: 'client', client_secret: 'canary-old-secret', issuer }, 'storage'))

  const asked: HostileWorld['asked'] = []
  const fetch: HostileWorld['fetch'] = (url, init) => {
    const { authorization = '', ...headers } = init.headers as Record<string, string>
    const shown = authorization.startsWith('Basic ') ? atob(authorization.slice(6)) : authorization
    asked.push({ url, sent: `${shown} ${JSON.stringify(headers)} ${String(init.body ?? '')}` })
    if (once(60))
      return Promise.reject(new TypeError('fetch failed', { cause: new Error(`quotes ${String(init.body)}`) }))
    const { pathname } = new URL(url)
    if (pathname.includes('oauth-protected-resource'))
      return Promise.resolve(
        answer('resource', { resource, authorization_servers: [issuer], scopes_supported: ['a', 'b'] }),
      )
    if (pathname.includes('.well-known'))
      return Promise.resolve(once(9) ? answer('house', {}, 404) : answer('house', metadata))
    if (pathname === '/register') return Promise.resolve(answer('register', registered, 201))
    if (pathname === '/token') return Promise.resolve(once(6) ? answer('token', failure, 400) : answer('token', tokens))
    return Promise.resolve(answer('house', {}))
  }
  const callback = (url: URL): URLSearchParams => {
    const good = { code: 'canary-code', state: url.searchParams.get('state') ?? '', iss: issuer }
    const given = new URLSearchParams(good)
    for (let left = bad.has('callback') ? 1 + roll(2) : 0; left > 0; left--) {
      const name = pick(['code', 'state', 'iss', 'error', 'response', 'id_token', 'error_description'])
      if (once(3)) given.delete(name)
      else if (once(2)) given.append(name, textOf(pick(WRONG)))
      else given.set(name, textOf(pick(WRONG)))
    }
    return given
  }
  const challenge = once(3) ? undefined : pick(CHALLENGES)
  return {
    challenge: challenge && once(5) ? challenge.slice(0, roll(challenge.length)) : challenge,
    status: once(8) ? 403 : 401,
    storage,
    fetch,
    callback,
    confirms: once(4),
    legacy: once(4),
    asked,
  }
}
