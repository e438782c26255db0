/** What the doctor says to a server: harmless, the same for all, and without a word about who asks. */
const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** A revision that every server of the session era knows or answers with its own. */
const OLD_REVISION = '2025-06-18'

const post = (message: object, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { ...JSON_HEADERS, ...headers },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
})

/** Sent and hidden by every browser, whatever the server allows. HEAD: it may be led anywhere, and must change nothing there. */
export const knock: RequestInit = { method: 'HEAD', mode: 'no-cors', redirect: 'follow' }

export const get: RequestInit = { method: 'GET', headers: { accept: JSON_HEADERS.accept } }

export const initialize = post({
  method: 'initialize',
  params: {
    protocolVersion: OLD_REVISION,
    capabilities: {},
    clientInfo: { name: 'switchboard-doctor', version: '1' },
  },
})

export const listTools = post({ method: 'tools/list', params: {} })

/** Only whether these headers may be sent at all counts; their values mean nothing. */
export const ping = (names: readonly string[]): RequestInit =>
  post({ method: 'ping' }, Object.fromEntries(names.map((name) => [name, valueOf(name)])))

const valueOf = (name: string): string =>
  name === 'mcp-protocol-version' ? OLD_REVISION : name === 'mcp-method' ? 'ping' : 'switchboard-doctor'

export const SESSION_HEADERS = ['mcp-protocol-version', 'mcp-session-id'] as const
export const STATELESS_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const

/** The session that `initialize` began is nobody's. */
export const endSession = (sessionId: string): RequestInit => ({
  method: 'DELETE',
  headers: { 'mcp-session-id': sessionId },
})
