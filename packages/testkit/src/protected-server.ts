import type { AuthorizationServer, Answer } from './authorization-server.ts'
import type { Exchange, FaultServer } from './fault-server.ts'
import type { Fields } from './fault-ledger.ts'

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** How an MCP server asks for tokens; every field may be changed while it runs. */
export interface Protection {
  /** Laid over the description of the server; undefined takes a field away. */
  metadata: Fields
  /** The whole answer where the description is asked for. */
  answerMetadata: ((exchange: Exchange) => Answer | undefined) | undefined
  /** Paths at which the description is. */
  metadataPaths: string[]
  /** The header of a refusal; undefined for none. */
  challenge: (why: { error?: string; scope?: string; scheme: string }) => string | undefined
  /** The rights a request needs. */
  scopeOf: (exchange: Exchange) => string | undefined
  /** Wanted in proofs of possession. */
  nonce: string | undefined
  /** Sees what is let through. */
  onRequest: ((exchange: Exchange) => void | Promise<void>) | undefined
}

/** Puts an MCP server behind an authorization server, which may live at the same origin (as in 2025-03-26). */
export function protect(mcp: FaultServer, as: AuthorizationServer, rules: Partial<Protection> = {}): Protection {
  const path = new URL(mcp.url).pathname
  const protection: Protection = {
    metadata: {},
    answerMetadata: undefined,
    metadataPaths: [`${WELL_KNOWN}${path}`],
    challenge: ({ error, scope, scheme }) => {
      const parts = [`resource_metadata="${mcp.origin}${WELL_KNOWN}${path}"`]
      if (error) parts.push(`error="${error}"`)
      if (scope) parts.push(`scope="${scope}"`)
      return `${scheme} ${parts.join(', ')}`
    },
    scopeOf: () => undefined,
    nonce: undefined,
    onRequest: undefined,
    ...rules,
  }

  const refuse = (
    exchange: Exchange,
    status: number,
    why: Parameters<Protection['challenge']>[0],
    headers = {},
  ): void => {
    const challenge = protection.challenge(why)
    exchange.json({ error: why.error ?? 'unauthorized' }, status, {
      ...(challenge && { 'www-authenticate': challenge }),
      ...headers,
    })
  }

  const judge = (exchange: Exchange): void => {
    const [scheme = '', token = ''] = exchange.header('authorization')?.split(' ') ?? []
    const rights = as.inspect(token)
    const bound = rights?.thumbprint !== undefined
    const kind = bound || protection.nonce ? 'DPoP' : 'Bearer'
    if (!rights || scheme !== (bound ? 'DPoP' : 'Bearer') || !mcp.url.startsWith(rights.resource ?? mcp.url))
      return refuse(exchange, 401, { scheme: kind, ...(token && { error: 'invalid_token' }) })
    if (bound) {
      const proof = exchange.header('dpop') ?? ''
      const checked = as.checkProof(proof, exchange.httpMethod, mcp.url, token, protection.nonce)
      if ('error' in checked || checked.thumbprint !== rights.thumbprint) {
        const error = 'error' in checked ? checked.error : 'invalid_token'
        return refuse(
          exchange,
          401,
          { scheme: kind, error },
          protection.nonce ? { 'dpop-nonce': protection.nonce } : {},
        )
      }
    }
    const scope = protection.scopeOf(exchange)
    const granted = new Set(rights.scope?.split(' '))
    if (scope?.split(' ').some((one) => !granted.has(one)))
      return refuse(exchange, 403, { scheme: kind, error: 'insufficient_scope', scope })
  }

  mcp.onRequest = async (exchange) => {
    const { pathname } = new URL(exchange.entry.path, mcp.origin)
    if (exchange.httpMethod === 'OPTIONS') return
    if (pathname === path) {
      judge(exchange)
      if (!exchange.taken) await protection.onRequest?.(exchange)
      return
    }
    if (pathname.startsWith(WELL_KNOWN)) {
      const usual = protection.metadataPaths.includes(pathname)
        ? { body: { resource: mcp.url, authorization_servers: [as.issuer], ...protection.metadata } }
        : { status: 404 }
      return give(exchange, protection.answerMetadata?.(exchange) ?? usual)
    }
    // Only a server of 2025-03-26 is asked these.
    const answer =
      as.issuer === mcp.origin
        ? await as.receive(exchange.httpMethod, exchange.entry.path, exchange.request.headers, exchange.body)
        : { status: 404 }
    if (typeof answer === 'string') exchange.drop()
    else give(exchange, answer)
  }
  return protection
}

function give(exchange: Exchange, { status = 200, headers = {}, body = '' }: Answer): void {
  if (typeof body === 'string') exchange.send(status, headers, body)
  else exchange.json(body, status, headers)
}
