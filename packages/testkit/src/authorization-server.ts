import { createHash, createPublicKey, type JsonWebKey, KeyObject, randomUUID, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Fields, isFields } from './fault-ledger.ts'

/** One HTTP request as it arrived. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The body, read as a form. */
  readonly form: URLSearchParams
}

/** A body that is no string is sent as JSON. */
export interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: unknown
}

/** What happens to a request instead; `usual()` does what would have happened and gives its answer. */
export type Fault = (
  asked: Asked,
  usual: () => Answer,
) => Answer | 'drop' | 'stall' | undefined | Promise<Answer | 'drop' | 'stall' | undefined>

/** A server on loopback that keeps everything it is told. As it is, it is a place where nothing secret may arrive. */
export class Listener {
  readonly requests: Asked[] = []
  /** By path; `*` sees all that no other takes. */
  readonly faults = new Map<string, Fault>()
  connections = 0
  readonly #server: Server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => (body += part))
    request.on('error', () => {})
    response.on('error', () => {})
    request.on('end', async () => {
      const { method = 'GET', url = '/', headers } = request
      const answer = await this.receive(method, url, headers, body)
      if (answer === 'stall') return
      if (answer === 'drop') return void request.socket.destroy()
      const { status = 200, body: content = '', headers: extra } = answer
      const text = typeof content === 'string' ? content : JSON.stringify(content)
      const type = typeof content === 'string' ? {} : { 'content-type': 'application/json' }
      response.writeHead(status, { ...CORS, ...type, ...extra }).end(text)
    })
  })

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get host(): string {
    return new URL(this.origin).host
  }

  async start(): Promise<this> {
    this.#server.on('connection', () => this.connections++)
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    await closed
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  /** Writes a request down and answers it. */
  async receive(
    method: string,
    url: string,
    headers: IncomingHttpHeaders,
    body: string,
  ): Promise<Answer | 'drop' | 'stall'> {
    const { pathname: path, searchParams: query } = new URL(url, 'http://localhost')
    const asked = { method, path, query, headers, body, form: new URLSearchParams(body) }
    this.requests.push(asked)
    if (method === 'OPTIONS') return { status: 204 }
    const fault = this.faults.get(path) ?? this.faults.get('*')
    return (await fault?.(asked, () => this.answer(asked))) ?? this.answer(asked)
  }

  /** How a request is answered when no fault is ordered. */
  answer(_asked: Asked): Answer {
    return { body: {} }
  }

  to(path: string): Asked[] {
    return this.requests.filter((asked) => asked.path === path)
  }

  /** Everything that arrived, as one text to look for secrets in. */
  get heard(): string {
    return JSON.stringify(
      this.requests.map(({ headers, query, form, ...asked }) => {
        const [scheme, credentials = ''] = headers.authorization?.split(' ') ?? []
        const decoded = scheme === 'Basic' ? decodeURIComponent(Buffer.from(credentials, 'base64').toString()) : ''
        return [asked, headers, String(query), [...form], decoded]
      }),
    )
  }
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type, dpop, mcp-protocol-version',
  'access-control-expose-headers': 'WWW-Authenticate, DPoP-Nonce',
}

export interface RegisteredClient {
  secret?: string
  /** Whose signature an assertion must carry. */
  publicKey?: KeyObject | JsonWebKey
  redirectUris?: string[]
}

interface Grant {
  clientId: string
  scope: string | undefined
  resource: string | undefined
  /** The key the tokens are bound to. */
  thumbprint: string | undefined
  refreshes: boolean
}

interface Code extends Grant {
  challenge: string
  redirectUri: string
}

export interface AccessToken extends Grant {
  family: string
  expired: boolean
}

const refusal = (error: string, status = 400, headers = {}): Answer => ({ status, body: { error }, headers })
const redirectTo = (location: string): Answer => ({ status: 302, headers: { location } })
const hash = (text: string): string => createHash('sha256').update(text).digest('base64url')

/**
 * An authorization server that agrees to everything at once and misbehaves to order. All secrets it gives away say
 * `canary`. A refresh token that is used twice ends its whole family.
 */
export class AuthorizationServer extends Listener {
  /** Where it says it is, when a test puts it behind another name. */
  name: string | undefined
  /** Laid over the metadata; undefined takes a field away. */
  metadata: Fields = {}
  /** Well-known paths that hold the metadata. */
  metadataPaths = ['/.well-known/oauth-authorization-server']
  /** `expires_in` of the next tokens. */
  lifetime: unknown = 3600
  givesRefreshTokens = true
  /** Wanted in each proof of possession, once it is set. */
  nonce: string | undefined
  /** Last change to what people bring back. */
  onCallback: ((answer: URLSearchParams, asked: Asked) => void) | undefined
  /** Whether a JWT in place of a person is good. */
  trusts: (assertion: string) => boolean = () => false
  readonly clients = new Map<string, RegisteredClient>()
  readonly tokens = new Map<string, AccessToken>()
  /** Uses of refresh tokens that were spent before. */
  reuses = 0
  readonly #codes = new Map<string, Code>()
  readonly #refreshTokens = new Map<string, { grant: Grant; family: string; spent: boolean }>()
  readonly #ended = new Set<string>()
  readonly #proofs = new Set<string>()

  get issuer(): string {
    return this.name ?? this.origin
  }

  get document(): Fields {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      registration_endpoint: `${this.issuer}/register`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      ...this.metadata,
    }
  }

  get tokenRequests(): URLSearchParams[] {
    return this.to('/token').map(({ form }) => form)
  }

  /** Every secret that went through here. */
  get secrets(): string[] {
    const told = this.to('/token').flatMap(({ form }) => form.getAll('code_verifier').concat(form.getAll('code')))
    const secrets = [...this.clients.values()].flatMap(({ secret }) => secret ?? [])
    return [...told, ...secrets, ...this.#codes.keys(), ...this.tokens.keys(), ...this.#refreshTokens.keys()]
  }

  /** Access tokens end; refresh tokens stay. */
  expireTokens(): void {
    for (const token of this.tokens.values()) token.expired = true
  }

  /** Everything that was ever given ends. */
  revokeAll(): void {
    this.expireTokens()
    for (const { family } of this.#refreshTokens.values()) this.#ended.add(family)
  }

  /** The rights behind a token, if it is good here. */
  inspect(token: string): AccessToken | undefined {
    const found = this.tokens.get(token)
    return found && !found.expired && !this.#ended.has(found.family) ? found : undefined
  }

  /** Stands for a person who signs in: what they bring back to the application. */
  readonly signIn = async (url: URL, fetch = globalThis.fetch): Promise<URLSearchParams> => {
    const response = await fetch(url, { redirect: 'manual' })
    const location = response.headers.get('location')
    if (!location) throw new Error(`The sign-in page says ${response.status}: ${await response.text()}`)
    return new URL(location).searchParams
  }

  override answer(asked: Asked): Answer {
    if (this.metadataPaths.includes(asked.path)) return { body: this.document }
    if (asked.path === '/authorize') return this.#authorize(asked)
    if (asked.path === '/register') return this.#register(asked)
    if (asked.path === '/token') return this.#token(asked)
    if (asked.path === '/revoke') return this.#revoke(asked)
    return { status: 404, body: 'Not found' }
  }

  #authorize(asked: Asked): Answer {
    const { query } = asked
    const clientId = query.get('client_id') ?? ''
    const redirectUri = query.get('redirect_uri') ?? ''
    const known = this.clients.get(clientId)
    const byDocument = this.metadata['client_id_metadata_document_supported'] && clientId.startsWith('https://')
    if (!known && !byDocument) return { status: 400, body: 'Unknown client' }
    if (known?.redirectUris && !known.redirectUris.includes(redirectUri))
      return { status: 400, body: 'Foreign address' }
    if (query.get('response_type') !== 'code' || query.get('code_challenge_method') !== 'S256')
      return { status: 400, body: 'Wrong kind' }
    const code = `canary-code-${randomUUID()}`
    this.#codes.set(code, {
      clientId,
      redirectUri,
      challenge: query.get('code_challenge') ?? '',
      scope: query.get('scope') ?? undefined,
      resource: query.get('resource') ?? undefined,
      thumbprint: undefined,
      refreshes: this.givesRefreshTokens,
    })
    const answer = new URLSearchParams({ code, state: query.get('state') ?? '', iss: this.issuer })
    if (!query.has('state')) answer.delete('state')
    this.onCallback?.(answer, asked)
    return redirectTo(`${redirectUri}?${answer}`)
  }

  #register({ body }: Asked): Answer {
    const wanted = JSON.parse(body) as Fields
    const id = `client-${randomUUID()}`
    const secret = wanted['token_endpoint_auth_method'] === 'none' ? undefined : `canary-secret-${randomUUID()}`
    this.clients.set(id, { ...(secret && { secret }), redirectUris: wanted['redirect_uris'] as string[] })
    const given = secret ? { client_secret: secret, client_secret_expires_at: 0 } : {}
    return { status: 201, body: { ...wanted, client_id: id, ...given } }
  }

  #revoke({ form }: Asked): Answer {
    const token = form.get('token') ?? ''
    const family = this.#refreshTokens.get(token)?.family ?? this.tokens.get(token)?.family
    if (family) this.#ended.add(family)
    return {}
  }

  #token(asked: Asked): Answer {
    const { form, headers } = asked
    const clientId = this.#authenticate(asked)
    if (clientId === undefined) return refusal('invalid_client', 401)
    let thumbprint: string | undefined
    const proof = headers['dpop']
    if (typeof proof === 'string') {
      const checked = this.checkProof(proof, 'POST', `${this.issuer}/token`)
      if ('error' in checked) return refusal(checked.error, 400, this.nonce ? { 'dpop-nonce': this.nonce } : {})
      thumbprint = checked.thumbprint
    }
    const scope = form.get('scope') ?? undefined
    const resource = form.get('resource') ?? undefined
    const grant: Grant = { clientId, scope, resource, thumbprint, refreshes: false }
    switch (form.get('grant_type')) {
      case 'authorization_code': {
        const code = this.#codes.get(form.get('code') ?? '')
        const fits =
          code?.clientId === clientId &&
          code.redirectUri === form.get('redirect_uri') &&
          code.resource === resource &&
          code.challenge === hash(form.get('code_verifier') ?? '')
        if (!code || !fits) return refusal('invalid_grant')
        this.#codes.delete(form.get('code') ?? '')
        return this.#give({ ...code, thumbprint }, randomUUID())
      }
      case 'refresh_token': {
        const old = this.#refreshTokens.get(form.get('refresh_token') ?? '')
        if (!old || old.grant.clientId !== clientId || this.#ended.has(old.family)) return refusal('invalid_grant')
        if (old.spent) {
          this.reuses++
          this.#ended.add(old.family)
          return refusal('invalid_grant')
        }
        old.spent = true
        return this.#give(old.grant, old.family)
      }
      case 'client_credentials':
        return this.#give(grant, randomUUID())
      case 'urn:ietf:params:oauth:grant-type:jwt-bearer':
        return this.trusts(form.get('assertion') ?? '') ? this.#give(grant, randomUUID()) : refusal('invalid_grant')
      default:
        return refusal('unsupported_grant_type')
    }
  }

  #give(grant: Grant, family: string): Answer {
    const token = `canary-access-${randomUUID()}`
    const refreshToken = grant.refreshes ? `canary-refresh-${randomUUID()}` : undefined
    this.tokens.set(token, { ...grant, family, expired: false })
    if (refreshToken) this.#refreshTokens.set(refreshToken, { grant, family, spent: false })
    const body = {
      access_token: token,
      token_type: grant.thumbprint ? 'DPoP' : 'Bearer',
      expires_in: this.lifetime,
      ...(refreshToken && { refresh_token: refreshToken }),
      ...(grant.scope && { scope: grant.scope }),
    }
    return { body, headers: { 'cache-control': 'no-store' } }
  }

  /** The id of a client that shows it is the client. */
  #authenticate({ form, headers }: Asked): string | undefined {
    const [scheme, credentials = ''] = headers.authorization?.split(' ') ?? []
    if (scheme === 'Basic') {
      const [id = '', secret] = Buffer.from(credentials, 'base64').toString().split(':').map(decodeURIComponent)
      return this.clients.get(id)?.secret === secret ? id : undefined
    }
    const assertion = form.get('client_assertion')
    const claimed = assertion ? String(readJwt(assertion)?.claims['sub']) : (form.get('client_id') ?? '')
    const client = this.clients.get(claimed)
    if (assertion && client?.publicKey) {
      const jwt = verifyJwt(assertion, client.publicKey)
      const { aud, exp, iss } = jwt?.claims ?? {}
      return aud === this.issuer && iss === claimed && Number(exp) * 1000 > Date.now() ? claimed : undefined
    }
    if (client?.secret !== undefined) return form.get('client_secret') === client.secret ? claimed : undefined
    return client || claimed.startsWith('https://') ? claimed : undefined
  }

  /** The thumbprint of the key that a proof of possession (RFC 9449) was made with. */
  checkProof(
    proof: string,
    method: string,
    url: string,
    token?: string,
    nonce = this.nonce,
  ): { thumbprint: string } | { error: string } {
    const key = readJwt(proof)?.header['jwk'] as JsonWebKey | undefined
    const jwt = key && verifyJwt(proof, key)
    if (!jwt || 'd' in key || jwt.header['typ'] !== 'dpop+jwt') return { error: 'invalid_dpop_proof' }
    const { htm, htu, jti, ath, nonce: shown } = jwt.claims
    const fits = htm === method && htu === url && ath === (token && hash(token))
    if (!fits || this.#proofs.has(String(jti))) return { error: 'invalid_dpop_proof' }
    this.#proofs.add(String(jti))
    if (nonce !== undefined && shown !== nonce) return { error: 'use_dpop_nonce' }
    const { crv, kty, x, y } = key
    return { thumbprint: hash(JSON.stringify({ crv, kty, x, y })) }
  }
}

interface Jwt {
  header: Fields
  claims: Fields
}

export function readJwt(text: string): Jwt | undefined {
  try {
    const [header, claims] = text
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as unknown)
    return isFields(header) && isFields(claims) ? { header, claims } : undefined
  } catch {
    return undefined
  }
}

/** A JWT whose signature is right, by the algorithm it names. */
export function verifyJwt(text: string, publicKey: KeyObject | JsonWebKey): Jwt | undefined {
  const jwt = readJwt(text)
  const algorithm = String(jwt?.header['alg'])
  if (!jwt || !/^[RE]S(256|384|512)$/.test(algorithm)) return undefined
  const key = publicKey instanceof KeyObject ? publicKey : createPublicKey({ key: publicKey, format: 'jwk' })
  const signed = text.slice(0, text.lastIndexOf('.'))
  const signature = Buffer.from(text.slice(signed.length + 1), 'base64url')
  const right = verify(`sha${algorithm.slice(2)}`, Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, signature)
  return right ? jwt : undefined
}
