import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'

interface OidcToken {
  scope?: string
  aud?: string | string[]
}
interface OidcModel {
  find(id: string): Promise<OidcToken | undefined>
}
interface OidcProvider {
  callback(): (req: IncomingMessage, res: ServerResponse) => void
  on(event: string, listener: (...given: unknown[]) => void): void
  AccessToken: OidcModel
  /** Of programs that came in their own name. */
  ClientCredentials: OidcModel
}

/** One request to the authorization server or to the protected server, as it came. */
export interface Seen {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
}

/** One request to the token endpoint, and what came of it. */
export interface Granted {
  type: string
  parameters: Record<string, unknown>
  /** The OAuth error it was refused with. */
  refused?: string
}

/** What an authorization server knows of its clients before anybody comes. */
export interface OidcOptions {
  /** Registered by hand, as `oidc-provider` takes them. */
  clients?: Record<string, unknown>[]
  /** Documents in which clients describe themselves, by their https address: what is there is not asked of the network. */
  documents?: Record<string, Record<string, unknown>>
  /** As servers of 2025-03-26: one origin for both, and no protected resource metadata. */
  sameOrigin?: boolean
}

export interface OidcServers {
  issuer: string
  /** The protected MCP server, with the tools `whoami` and, for those who may write, `keep_note`. */
  mcpUrl: string
  /** What `keep_note` kept, each time that it ran. */
  notes: string[]
  /** What came to the authorization server. */
  asked: Seen[]
  /** What came to its token endpoint. */
  grants: Granted[]
  /** What came to the MCP server. */
  called: Seen[]
  /** Every code, access token and refresh token that was given, to look for afterwards. */
  secrets: Set<string>
  settings: {
    /** Of access tokens given from now on, in seconds. */
    lifetime: number
    /** Headers of every page of the authorization server. */
    pageHeaders: Record<string, string>
    /** What tokens are given for. */
    resource: string
  }
  /** The token that somebody sends, if it was given here and is good. */
  find(bearer: string): Promise<OidcToken | undefined>
  /** From now on the MCP server names another house for signing in, and takes the tokens of that one only. */
  handOver(next: OidcServers): void
  /** Ends every access token, as time does. */
  expireAccessTokens(): void
  /** Ends everything that was granted, as an administrator does. */
  revokeAll(): void
  close(): Promise<void>
}

type Stored = Map<string, Map<string, Record<string, unknown>>>

const SCOPE = 'notes'
const WRITE = 'write'
const TAKES_TEXT = { type: 'object' as const, properties: { text: { type: 'string' as const } }, required: ['text'] }

/**
 * `oidc-provider` as the authorization server, with its own pages for signing in and agreeing, and an MCP server that
 * takes nothing but its tokens. Both on loopback, at two origins.
 */
export async function startOidcServers(options: OidcOptions = {}): Promise<OidcServers> {
  // What it needs of newer Nodes than ours.
  const { parse } = URL as { parse?: unknown }
  if (!parse) {
    Object.assign(URL, {
      parse: (text: string, base?: string) => (URL.canParse(text, base) ? new URL(text, base) : null),
    })
  }
  const asked: Seen[] = []
  const called: Seen[] = []
  const grants: Granted[] = []
  const secrets = new Set<string>()
  const notes: string[] = []
  const settings: OidcServers['settings'] = { lifetime: 3600, pageHeaders: {}, resource: '' }
  const stored: Stored = new Map()

  const authorizationServer = createServer((req, res) => {
    const { pathname } = new URL(req.url ?? '/', 'http://localhost')
    note(asked, req)
    for (const [name, value] of Object.entries(settings.pageHeaders)) res.setHeader(name, value)
    // It lets pages ask for everything but this.
    if (pathname === '/reg' && letIn(req, res)) return
    provider.callback()(req, res)
  })
  const ownOrigin = await listen(authorizationServer)

  const resourceServer = createServer((req, res) => void guard(req, res))
  const mcpOrigin = await listen(resourceServer)
  const issuer = options.sameOrigin ? mcpOrigin : ownOrigin
  const mcpUrl = `${mcpOrigin}/mcp`
  settings.resource = mcpUrl
  const provider = await createProvider(issuer, settings, options, (model) => memoryAdapter(model, stored, secrets))
  const noteGrant = (ctx: unknown, error?: unknown): void => {
    const { params } = (ctx as { oidc: { params: Record<string, unknown> } }).oidc
    const refused = (error as { error: string } | undefined)?.error
    grants.push({ type: String(params['grant_type']), parameters: params, ...(refused && { refused }) })
  }
  provider.on('grant.success', noteGrant)
  provider.on('grant.error', noteGrant)

  const answer = toNodeHandler(
    createMcpHandler(() => {
      const mcp = new McpServer({ name: 'protected-notes', version: '1.0.0' })
      mcp.registerTool('whoami', { description: 'Says who is signed in' }, () => ({
        content: [{ type: 'text', text: 'somebody who is signed in' }],
      }))
      mcp.registerTool(
        'keep_note',
        { description: 'Keeps a note', inputSchema: fromJsonSchema<{ text: string }>(TAKES_TEXT) },
        ({ text }) => {
          notes.push(text)
          return { content: [{ type: 'text', text: `Kept "${text}".` }] }
        },
      )
      return mcp
    }),
  )

  const find = async (bearer: string) =>
    (await provider.AccessToken.find(bearer)) ?? (await provider.ClientCredentials.find(bearer))
  let house: Pick<OidcServers, 'issuer' | 'find'> = { issuer, find }

  async function guard(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (options.sameOrigin && req.url !== '/mcp') return void authorizationServer.emit('request', req, res)
    note(called, req)
    if (letIn(req, res)) return
    const metadataUrl = `${mcpOrigin}/.well-known/oauth-protected-resource/mcp`
    if (req.url === '/.well-known/oauth-protected-resource/mcp') {
      const metadata = { resource: mcpUrl, authorization_servers: [house.issuer], scopes_supported: [SCOPE] }
      return void res.setHeader('content-type', 'application/json').end(JSON.stringify(metadata))
    }
    if (req.url !== '/mcp') return void res.writeHead(404).end()
    const refuse = (status: number, error: string, scope = SCOPE): void => {
      const description = options.sameOrigin ? '' : `, resource_metadata="${metadataUrl}"`
      const challenge = `Bearer ${error && `error="${error}", `}scope="${scope}"${description}`
      res.writeHead(status, { 'www-authenticate': challenge }).end()
    }
    const [, bearer] = /^Bearer (.+)$/.exec(req.headers.authorization ?? '') ?? []
    if (bearer === undefined) return refuse(401, '')
    const token = await house.find(bearer)
    if (!token || ![token.aud].flat().includes(mcpUrl)) return refuse(401, 'invalid_token')
    const scopes = token.scope?.split(' ') ?? []
    if (!scopes.includes(SCOPE)) return refuse(403, 'insufficient_scope')
    if (req.headers['mcp-name'] === 'keep_note' && !scopes.includes(WRITE))
      return refuse(403, 'insufficient_scope', WRITE)
    await answer(req as never, res as never)
  }

  return {
    issuer,
    mcpUrl,
    notes,
    asked,
    grants,
    called,
    secrets,
    settings,
    find,
    handOver: (next) => {
      next.settings.resource = mcpUrl
      house = next
    },
    expireAccessTokens: () => stored.get('AccessToken')?.clear(),
    revokeAll: () => ['AccessToken', 'RefreshToken', 'Grant', 'Session'].forEach((name) => stored.get(name)?.clear()),
    close: async () => {
      await Promise.all([shut(authorizationServer), shut(resourceServer)])
    },
  }
}

async function createProvider(
  issuer: string,
  settings: OidcServers['settings'],
  { clients = [], documents }: OidcOptions,
  adapter: (model: string) => object,
): Promise<OidcProvider> {
  const said = { warn: console.warn, info: console.info }
  // It warns of what a test wants: pages without accounts behind them, keys of its own, everything in memory.
  Object.assign(console, { warn: () => {}, info: () => {} })
  try {
    // It has no types of its own.
    const name: string = 'oidc-provider'
    const { Provider } = (await import(name)) as { Provider: new (issuer: string, options: object) => OidcProvider }
    const provider = new Provider(issuer, {
      adapter,
      clients,
      fetch: async (address: unknown, init: RequestInit) => {
        const document = documents?.[String(address)]
        return document ? Response.json(document) : globalThis.fetch(String(address), init)
      },
      clientBasedCORS: () => true,
      cookies: { keys: ['of this test only'] },
      features: {
        devInteractions: { enabled: true },
        clientCredentials: { enabled: true },
        ...(documents && { clientIdMetadataDocument: { enabled: true, ack: 'draft-02' } }),
        registration: { enabled: true },
        revocation: { enabled: true, allowedPolicy: () => true },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => undefined,
          useGrantedResource: () => false,
          getResourceServerInfo: (_ctx: unknown, resource: string) => {
            if (resource !== settings.resource) throw new TypeError(`no such resource: ${resource}`)
            return {
              scope: `${SCOPE} ${WRITE}`,
              audience: resource,
              accessTokenTTL: settings.lifetime,
              accessTokenFormat: 'opaque',
            }
          },
        },
      },
      findAccount: (_ctx: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub }) }),
      pkce: { required: () => true },
      rotateRefreshToken: true,
      ttl: {
        AccessToken: 3600,
        AuthorizationCode: 60,
        ClientCredentials: 3600,
        Grant: 3600,
        Interaction: 600,
        RefreshToken: 3600,
        Session: 3600,
      },
    })
    provider.on('server_error', (_ctx, error) => console.error(error))
    return provider
  } finally {
    Object.assign(console, said)
  }
}

/** Where it keeps everything: maps, so that a test can take something away. */
function memoryAdapter(model: string, stored: Stored, secrets: Set<string>): object {
  const values = stored.get(model) ?? new Map<string, Record<string, unknown>>()
  stored.set(model, values)
  return {
    upsert: async (id: string, payload: Record<string, unknown>) => {
      values.set(id, payload)
      if (/Token$|Code$|^ClientCredentials$/.test(model)) secrets.add(id)
    },
    find: async (id: string) => values.get(id),
    findByUid: async (uid: string) => [...values.values()].find((value) => value['uid'] === uid),
    findByUserCode: async () => undefined,
    destroy: async (id: string) => void values.delete(id),
    consume: async (id: string) =>
      void Object.assign(values.get(id) ?? {}, { consumed: Math.floor(Date.now() / 1000) }),
    revokeByGrantId: async (grantId: string) => {
      for (const all of stored.values()) {
        for (const [id, value] of all) if (value['grantId'] === grantId) all.delete(id)
      }
    },
  }
}

function note(list: Seen[], req: IncomingMessage): void {
  const { pathname, searchParams } = new URL(req.url ?? '/', 'http://localhost')
  list.push({ method: req.method ?? '', path: pathname, query: searchParams, headers: req.headers })
}

/** Lets pages of every origin ask; true when that was all the question. */
function letIn(req: IncomingMessage, res: ServerResponse): boolean {
  res.setHeader('access-control-allow-origin', '*')
  res.setHeader('access-control-expose-headers', 'www-authenticate, mcp-session-id')
  if (req.method !== 'OPTIONS') return false
  res.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
  res.setHeader('access-control-allow-headers', req.headers['access-control-request-headers'] ?? '')
  res.writeHead(204).end()
  return true
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function shut(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
