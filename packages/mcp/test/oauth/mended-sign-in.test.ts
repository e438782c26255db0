import { generateKeyPairSync } from 'node:crypto'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  auth,
  createDPoP,
  HttpTransport,
  memoryStorage,
  type OAuthClientInformation,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  oauthErrorOf,
  OAuthTokenSource,
  type OAuthTokens,
  PrivateKeyJwtProvider,
  type Question,
  signOut,
  UnauthorizedError,
} from '@switchboard/mcp/oauth'
import { type Answer, type AuthorizationServer, readJwt } from '@switchboard/testkit/authorization-server'
import { everythingIn } from '@switchboard/testkit/fault-oracle'
import type { Fields } from '@switchboard/testkit/fault-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { closing } from '../faults/scenario.ts'
import { connect, person, REDIRECT, refusalOf, serveProtected, skipTime, startListener, world } from './scenario.ts'

const call = { name: 'echo', arguments: { mark: 'once' } }
const done = { content: [{ text: 'once' }] }
const ELSEWHERE = 'https://mcp.example/mcp'
const json = (body: unknown, status = 200): Response => Response.json(body, { status })
/** A server that asks for these rights, and for "a" to begin with. */
const asking = ({ scope, error }: { scope?: string; error?: string }) =>
  `Bearer scope="${scope ?? 'a'}", error="${error ?? ''}"`

/** A provider as others write it: nothing optional but a registration, all of it in fields. */
class Stranger implements OAuthClientProvider {
  redirectUrl = REDIRECT
  clientMetadata: OAuthClientMetadata = { redirect_uris: [REDIRECT] }
  client: OAuthClientInformation | undefined
  kept: OAuthTokens | undefined
  verifier: string | undefined
  sentTo: URL | undefined

  clientInformation(): OAuthClientInformation | undefined {
    return this.client
  }
  saveClientInformation(client: OAuthClientInformation): void {
    this.client = client
  }
  tokens(): OAuthTokens | undefined {
    return this.kept
  }
  saveTokens(tokens: OAuthTokens): void {
    this.kept = tokens
  }
  redirectToAuthorization(url: URL): void {
    this.sentTo = url
  }
  saveCodeVerifier(verifier: string): void | Promise<void> {
    this.verifier = verifier
  }
  codeVerifier(): string {
    if (!this.verifier) throw new Error('No code verifier saved')
    return this.verifier
  }
}

/** What the person brings back whom the provider sent. */
function comeBack(as: AuthorizationServer, { sentTo }: Stranger): Promise<URLSearchParams> {
  if (!sentTo) throw new Error('Nobody was sent')
  return as.signIn(sentTo)
}

describe('discovery', () => {
  const FIRST: Record<string, (document: Fields) => Answer> = {
    'leads to a page to log in': () => ({ status: 302, headers: { location: '/login' } }),
    'fails with 500': () => ({ status: 500 }),
    'is no JSON': () => ({ body: 'nothing here' }),
    'speaks in another name': (document) => ({ body: { ...document, issuer: 'https://other.example' } }),
  }
  const OPENID = '/.well-known/openid-configuration'
  const FIRST_PLACE = '/.well-known/oauth-authorization-server'
  const ROOT = '/.well-known/oauth-protected-resource'

  /** As in a page, which cannot read an answer without CORS headers. */
  const closedTo =
    (closed: string) =>
    (address: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const { pathname } = new URL(address instanceof Request ? address.url : address)
      return pathname === closed ? Promise.reject(new TypeError('Failed to fetch')) : fetch(address, init)
    }

  it.each(Object.entries(FIRST))(
    '[O3] [A9] goes on where the first place of the authorization server %s',
    async (_, answer) => {
      const place = await world()
      place.as.metadataPaths = [OPENID]
      place.as.faults.set(FIRST_PLACE, () => answer(place.as.document))
      const client = await connect(place, person(place))
      expect(await client.callTool(call)).toMatchObject(done)
    },
  )

  it('[O3] [A9] goes on where the first place of the authorization server is closed to pages', async () => {
    const place = await world()
    place.as.metadataPaths = [OPENID]
    const client = await connect(place, person(place), { fetch: closedTo(FIRST_PLACE) })
    expect(await client.callTool(call)).toMatchObject(done)
  })

  it.each(Object.entries(FIRST).slice(0, 3))(
    '[O3] [A9] goes on where the first place of the server %s',
    async (_, answer) => {
      const place = await world({ challenge: () => 'Bearer', metadataPaths: [ROOT] })
      place.protection.answerMetadata = ({ entry }) => (entry.path === ROOT ? undefined : answer({}))
      const client = await connect(place, person(place))
      expect(await client.callTool(call)).toMatchObject(done)
    },
  )

  it('[O3] [A9] goes on where the first place of the server is closed to pages', async () => {
    const place = await world({ challenge: () => 'Bearer', metadataPaths: [ROOT] })
    const client = await connect(place, person(place), { fetch: closedTo(`${ROOT}/mcp`) })
    expect(await client.callTool(call)).toMatchObject(done)
  })

  it('[O4] [O16] that finds another name quotes both', async () => {
    const place = await world()
    place.protection.metadata = { authorization_servers: [`${place.as.issuer}/`] }
    const { message } = await refusalOf(connect(place, person(place)), 'issuer-mismatch')
    expect(message).toContain(`"${place.as.issuer}" instead of "${place.as.issuer}/"`)
  })

  it('[O7] reads a null as a field that is not there', async () => {
    const place = await world()
    place.as.metadata = { revocation_endpoint: null, scopes_supported: null }
    place.as.faults.set('/register', (_, usual) => {
      const { body, ...rest } = usual()
      return { ...rest, body: { ...(body as Fields), client_secret: null, client_secret_expires_at: null } }
    })
    const client = await connect(place, person(place))
    expect(await client.callTool(call)).toMatchObject(done)
  })

  const PRIVATE = [
    'https://localhost:8443',
    'https://localhost.',
    'https://app.localhost',
    'https://127.0.0.1',
    'https://127.1',
    'https://0.0.0.0',
    'https://10.0.0.1',
    'https://172.16.0.1',
    'https://172.31.255.255',
    'https://192.168.1.1',
    'https://169.254.169.254',
    'https://[::1]',
    'https://[::ffff:7f00:1]',
    'https://[fd00::1]',
    'https://[fe80::1]',
  ]
  /** What is asked when this server names that authorization server. */
  async function askedFor(serverUrl: string, issuer: string) {
    const asked: string[] = []
    const fetchFn = async (url: string) => {
      asked.push(new URL(url).origin)
      return url.includes('oauth-protected-resource')
        ? json({ resource: serverUrl, authorization_servers: [issuer] })
        : json({}, 404)
    }
    const outcome = await auth(new Stranger(), { serverUrl, fetchFn }).catch((error: unknown) => error)
    return { fault: oauthErrorOf(outcome)?.fault, asked: [...new Set(asked)] }
  }

  it.each(PRIVATE)('[O12] [A1.6] does not ask %s for a server that is elsewhere', async (issuer) => {
    expect(await askedFor(ELSEWHERE, issuer)).toEqual({ fault: 'unsafe-address', asked: ['https://mcp.example'] })
  })

  it.each(['https://10.evil.example/mcp', 'https://127.evil.example/mcp', 'https://192.168.evil.example/mcp'])(
    '[O12] [A1.6] asks nothing inside for %s, whose name only begins like an address',
    async (serverUrl) => {
      const { fault, asked } = await askedFor(serverUrl, 'https://10.0.0.1')
      expect({ fault, asked }).toEqual({ fault: 'unsafe-address', asked: [new URL(serverUrl).origin] })
    },
  )

  it('[O12] [A1.6] asks inside the network for a server inside, and elsewhere for one with such a name', async () => {
    expect((await askedFor('https://192.168.1.2/mcp', 'https://10.0.0.1')).asked).toContain('https://10.0.0.1')
    const named = 'https://10.auth.example'
    expect((await askedFor(ELSEWHERE, named)).asked).toContain(named)
  })

  it('[O12] [A1.7] does not believe an answer that was redirected on the way', async () => {
    const place = await world()
    const following = async (address: string | URL | Request, init?: RequestInit) => {
      const response = await fetch(address, init)
      return String(address).endsWith('/token')
        ? Object.defineProperty(response, 'redirected', { value: true })
        : response
    }
    const { message } = await refusalOf(connect(place, person(place), { fetch: following }), 'redirect')
    expect(message).toContain(place.as.host)
  })
})

describe('rights', () => {
  it('[O8] [R-15] can be asked for again by somebody who closed the window', async () => {
    const place = await world({ challenge: asking })
    let closes = false
    const provider = person(place, {
      signIn: (url) => {
        if (closes) throw new Error('The window was closed')
        return place.as.signIn(url)
      },
    })
    const client = await connect(place, provider)
    place.protection.scopeOf = ({ method }) => (method === 'tools/call' ? 'b' : undefined)
    closes = true
    await expect(client.callTool(call)).rejects.toThrow(/needs authorization/)
    closes = false
    expect(await client.callTool(call)).toMatchObject(done)
    expect(provider.opened.map((url) => url.searchParams.get('scope'))).toEqual(['a', 'a b', 'a b'])
  })

  it('[O10] [R-15] of several kinds wanted at once are all given', async () => {
    const place = await world({ challenge: asking })
    place.protection.scopeOf = ({ method, entry }) =>
      method === 'tools/call' ? String(entry.arguments['mark']) : undefined
    const provider = person(place)
    const client = await connect(place, provider)
    const marks = ['read', 'write', 'share']
    const results = await Promise.all(marks.map((mark) => client.callTool({ name: 'echo', arguments: { mark } })))
    expect(results).toMatchObject(marks.map((text) => ({ content: [{ text }] })))
    expect(place.mcp.ledger.entries.filter(({ method }) => method === 'tools/call').length).toBeLessThan(12)
  })
})

describe('refusals at once', () => {
  it('[O10] for different reasons are each answered, and for the same reason together', async () => {
    const answered: number[] = []
    const refused = new Map<string, number>()
    let release = (): void => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const transport = new HttpTransport({
      url: ELSEWHERE,
      fetch: async (_, init) => {
        const { id, method } = JSON.parse(String(init?.body)) as { id: number; method: string }
        const before = refused.get(`${id}`)
        refused.set(`${id}`, 1)
        // All are refused before the first refusal is answered.
        if (refused.size === 4) release()
        if (before) return json({ jsonrpc: '2.0', id, result: {} })
        const headers = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="b"' }
        return new Response('', { status: method === 'ping' ? 401 : 403, headers })
      },
      tokenSource: {
        token: async () => 'the same',
        challenge: async ({ status }) => {
          answered.push(status)
          await held
          return true
        },
      },
    })
    const methods = ['ping', 'ping', 'prompts/list', 'prompts/list']
    await Promise.all(methods.map((method, id) => transport.send({ jsonrpc: '2.0', id, method })))
    await transport.close()
    expect(answered.toSorted((one, other) => one - other)).toEqual([401, 403])
  })
})

describe('a token', () => {
  const CHOICES = {
    nothing: undefined,
    'a choice of its own': (server: string | URL) => Promise.resolve(new URL(server)),
  }

  it.each(Object.entries(CHOICES))(
    '[O11] [A1.5] of another server stays here where validateResourceURL is %s',
    async (_, value) => {
      const provider = new Stranger()
      Object.defineProperty(provider, 'validateResourceURL', { value })
      const tokens = { access_token: 'canary', token_type: 'Bearer', issuer: 'https://as.example' }
      const source = new OAuthTokenSource(provider, ELSEWHERE)
      provider.kept = { ...tokens, resource: 'https://other.example/mcp' }
      expect(await source.token()).toBeUndefined()
      provider.kept = { ...tokens, resource: ELSEWHERE }
      expect(await source.token()).toBe('canary')
    },
  )

  it.each([
    [400, { message: 'no' }],
    [400, { error: 'Invalid refresh token' }],
    [401, { error: { code: 'x' } }],
    [403, '<!doctype html><title>Forbidden</title>'],
  ])(
    '[O9] [R-14] whose refresh is refused with %i %j brings one sign-in, and the call goes on',
    async (status, body) => {
      const place = await world()
      const provider = person(place)
      const client = await connect(place, provider)
      place.as.faults.set('/token', ({ form }) =>
        form.get('grant_type') === 'refresh_token' ? { status, body } : undefined,
      )
      place.as.expireTokens()
      expect(await client.callTool(call)).toMatchObject(done)
      expect(provider.opened).toHaveLength(2)
    },
  )

  it.each([true, false])(
    '[O17] [R-14] that is good and refused all the same is renewed once for five calls (refreshable: %s)',
    async (refreshable) => {
      const place = await world()
      place.as.givesRefreshTokens = refreshable
      const provider = person(place)
      const client = await connect(place, provider)
      place.protection.onRequest = (exchange) =>
        exchange.json({}, 401, { 'www-authenticate': 'Bearer error="invalid_token"' })
      await expect(client.callTool(call)).rejects.toThrow(UnauthorizedError)
      for (let nth = 0; nth < 4; nth++) {
        const { message } = await refusalOf(client.callTool(call), 'token-refused')
        expect(message).toContain(place.mcp.host)
      }
      expect(place.as.tokenRequests).toHaveLength(2)
      expect(provider.opened).toHaveLength(refreshable ? 1 : 2)
      place.protection.onRequest = undefined
      expect(await client.callTool(call)).toMatchObject(done)
      expect(place.as.tokenRequests).toHaveLength(2)
    },
  )

  it('[O16] [R-32] that was stored without its type is used', async () => {
    const place = await world()
    const storage = memoryStorage()
    await connect(place, person(place, { storage }))
    const key = `tokens ${place.mcp.url}`
    const { access_token } = JSON.parse((await storage.get(key)) ?? '') as OAuthTokens
    await storage.set(key, JSON.stringify({ access_token }))
    const again = person(place, { storage })
    expect(await (await connect(place, again)).callTool(call)).toMatchObject(done)
    expect(again.opened).toEqual([])
  })

  it.each(['canary\ntoken', 'canary\u2713token'])(
    '[O16] [A1.15] that cannot be sent is quoted in no error (%j)',
    async (access_token) => {
      const place = await world()
      const provider = new Stranger()
      provider.kept = { access_token, token_type: 'Bearer' }
      const error = await connect(place, provider).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(UnauthorizedError)
      expect(everythingIn(error)).not.toContain('canary')
      expect(place.mcp.ledger.entries).toEqual([])
    },
  )

  it('[A1.15] takes the place of an Authorization header of the caller, in any letters', async () => {
    const place = await world()
    const client = await connect(place, person(place), { headers: { Authorization: 'Bearer mine', 'x-mine': '1' } })
    await client.callTool(call)
    const shown = place.mcp.ledger.entries.filter(({ method }) => method).map(({ headers }) => headers['authorization'])
    expect(shown.shift()).toBe('Bearer mine')
    expect(shown.length).toBeGreaterThan(1)
    for (const one of shown) expect(one).toMatch(/^Bearer canary-access-[\w-]+$/)
  })

  it('[R-14] that is refused is the one the request carried, not a newer one', async () => {
    let current = 'old'
    let begun = (): void => {}
    let sign = (): void => {}
    const signing = new Promise<void>((resolve) => (begun = resolve))
    const held = new Promise<void>((resolve) => (sign = resolve))
    const refused: unknown[] = []
    const transport = new HttpTransport({
      url: ELSEWHERE,
      fetch: async (_, init) =>
        new Headers(init?.headers).get('authorization') === 'Bearer old'
          ? new Response('', { status: 401 })
          : json({ jsonrpc: '2.0', id: 2, result: {} }),
      tokenSource: {
        token: async () => current,
        sign: async (_method, _url, token) => {
          if (token === 'old') {
            begun()
            await held
          }
          return { authorization: `Bearer ${token}` }
        },
        challenge: async ({ token }) => {
          refused.push(token)
          return false
        },
      },
    })
    const first = transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' }).catch(() => {})
    await signing
    current = 'new'
    await transport.send({ jsonrpc: '2.0', id: 2, method: 'ping' })
    // The refusal of the old one is told as that, whatever is current then.
    current = 'old'
    sign()
    await first
    await transport.close()
    expect(refused).toEqual(['old'])
  })

  it('[O15] bound to a key is sent with a proof of its own each time, and every answer is looked at', async () => {
    vi.stubGlobal('location', new URL('https://app.example/'))
    onTestFinished(() => void vi.unstubAllGlobals())
    const proofs: (string | null)[] = []
    const answered: number[] = []
    let made = 0
    const transport = new HttpTransport({
      url: ELSEWHERE,
      fetch: async (_, init) => {
        proofs.push(new Headers(init?.headers).get('dpop'))
        if (typeof init?.body === 'string') return json({ jsonrpc: '2.0', id: 1, result: { tools: [] } })
        return new Response('', { status: 411 })
      },
      tokenSource: {
        token: async () => 'token',
        sign: async () => ({ authorization: 'DPoP token', dpop: `proof-${++made}` }),
        answered: async ({ status }) => void answered.push(status),
        challenge: async () => false,
      },
    })
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    await transport.close()
    expect(proofs).toEqual(['proof-1', 'proof-2'])
    expect(answered).toEqual([411, 200])
  })

  it('[O15] bound to a key is not renewed where one of two challenges only wants a nonce', async () => {
    const place = await world()
    const provider = person(place, { dpop: createDPoP() })
    const client = await connect(place, provider)
    place.protection.challenge = () => 'Bearer error="invalid_token", DPoP error="use_dpop_nonce"'
    place.protection.nonce = 'n1'
    expect(await client.callTool(call)).toMatchObject(done)
    expect(place.as.tokenRequests).toHaveLength(1)
  })
})

describe('a provider of others', () => {
  it('[O2] [O5] that wants no resource sent gets none sent, and its token is used', async () => {
    const place = await world()
    const provider = person(place)
    Object.defineProperty(provider, 'validateResourceURL', { value: async () => undefined })
    const client = await connect(place, provider)
    place.as.expireTokens()
    expect(await client.callTool(call)).toMatchObject(done)
    expect(provider.opened.map((url) => url.searchParams.has('resource'))).toEqual([false])
    expect(place.as.tokenRequests.map((form) => [form.get('grant_type'), form.has('resource')])).toEqual([
      ['authorization_code', false],
      ['refresh_token', false],
    ])
  })

  it('[O2] [O11] that spelt the issuer with a slash signs in anew; nobody is asked, no old token is shown', async () => {
    const place = await world()
    const issuer = `${place.as.issuer}/`
    const provider = new Stranger()
    provider.client = { client_id: 'old', issuer }
    const { url: resource } = place.mcp
    provider.kept = { access_token: 'o', token_type: 'Bearer', refresh_token: 'r', issuer, resource }
    expect(await auth(provider, { serverUrl: resource })).toBe('REDIRECT')
    expect(await auth(provider, { serverUrl: resource, callback: await comeBack(place.as, provider) })).toBe(
      'AUTHORIZED',
    )
    expect(place.as.tokenRequests.map((form) => form.get('grant_type'))).toEqual(['authorization_code'])
  })

  it('[O2] that does not keep the issuer of its registration ends the sign-in it began', async () => {
    const place = await world()
    place.as.metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic'] }
    const provider = new Stranger()
    provider.saveClientInformation = ({ issuer: _issuer, ...client }) => void (provider.client = client)
    const { url: serverUrl } = place.mcp
    expect(await auth(provider, { serverUrl })).toBe('REDIRECT')
    expect(provider.client?.client_secret).toMatch(/canary/)
    expect(await auth(provider, { serverUrl, callback: await comeBack(place.as, provider) })).toBe('AUTHORIZED')
  })

  it('[O2] [O11] whose registration says nothing of its issuer registers anew; a secret of people’s own is kept back', async () => {
    const place = await world()
    const provider = new Stranger()
    const { url: serverUrl } = place.mcp
    provider.client = { client_id: 'old', client_secret: 'canary-old', redirect_uris: [REDIRECT] }
    expect(await auth(provider, { serverUrl })).toBe('REDIRECT')
    expect(provider.client.client_id).not.toBe('old')
    provider.client = { client_id: 'own', client_secret: 'canary-own' }
    await refusalOf(auth(provider, { serverUrl }), 'no-client')
    expect(place.as.heard).not.toMatch(/canary-o/)
  })

  it('[O2] [O13] whose codeVerifier() throws where there is none is told that nobody was sent', async () => {
    const place = await world()
    const callback = new URLSearchParams({ code: 'x', state: 'y' })
    const ending = auth(new Stranger(), { serverUrl: place.mcp.url, callback })
    expect((await refusalOf(ending, 'foreign-answer')).message).toMatch(/nobody was sent/)
    expect(place.as.requests).toEqual([])
  })

  const REFUSE = {
    'at once': () => {
      throw new Error('A verifier is needed')
    },
    later: () => Promise.reject(new Error('A verifier is needed')),
  }
  it.each(Object.entries(REFUSE))(
    '[O2] [O13] that refuses an empty verifier, %s, ends its sign-in',
    async (_, refuse) => {
      const place = await world()
      const provider = new Stranger()
      provider.saveCodeVerifier = (verifier) => (verifier ? void (provider.verifier = verifier) : refuse())
      const { url: serverUrl } = place.mcp
      await auth(provider, { serverUrl })
      expect(await auth(provider, { serverUrl, callback: await comeBack(place.as, provider) })).toBe('AUTHORIZED')
    },
  )

  it('[O20] whose record is kept later sends nobody away before it is', async () => {
    const place = await world()
    const provider = new Stranger()
    let keep = () => {}
    let isAsked = () => {}
    const asked = new Promise<void>((resolve) => (isAsked = resolve))
    provider.saveCodeVerifier = (verifier) => {
      isAsked()
      return new Promise((resolve) => {
        keep = () => {
          provider.verifier = verifier
          resolve()
        }
      })
    }
    const { url: serverUrl } = place.mcp
    const sending = auth(provider, { serverUrl })
    await asked
    await new Promise((resolve) => setImmediate(resolve))
    expect(provider.sentTo).toBeUndefined()
    keep()
    expect(await sending).toBe('REDIRECT')
    provider.saveCodeVerifier = () => {}
    expect(await auth(provider, { serverUrl, callback: await comeBack(place.as, provider) })).toBe('AUTHORIZED')
  })

  it.each(Object.entries(REFUSE))('[O20] that cannot keep its record, %s, sends nobody away', async (_, refuse) => {
    const place = await world()
    const provider = new Stranger()
    provider.saveCodeVerifier = refuse
    await expect(auth(provider, { serverUrl: place.mcp.url })).rejects.toThrow('A verifier is needed')
    expect(provider.sentTo).toBeUndefined()
    expect(place.as.to('/authorize')).toEqual([])
  })

  it('[O13] [A1.8] without states is held to the one in a whole answer', async () => {
    const place = await world()
    const provider = new Stranger()
    const { url: serverUrl } = place.mcp
    await auth(provider, { serverUrl })
    const callback = await comeBack(place.as, provider)
    callback.delete('state')
    await refusalOf(auth(provider, { serverUrl, callback }), 'foreign-answer')
    expect(place.as.tokenRequests).toEqual([])
  })

  it('[O2] with an empty redirectUrl acts in its own name', async () => {
    const place = await world()
    place.as.clients.set('machine', { secret: 'canary-machine' })
    const provider = new Stranger()
    provider.redirectUrl = ''
    provider.clientMetadata = { redirect_uris: [], grant_types: ['client_credentials'] }
    provider.client = { client_id: 'machine', client_secret: 'canary-machine', issuer: place.as.issuer }
    expect(await auth(provider, { serverUrl: place.mcp.url })).toBe('AUTHORIZED')
    expect(provider.sentTo).toBeUndefined()
    expect(place.as.tokenRequests.map((form) => form.get('grant_type'))).toEqual(['client_credentials'])
  })

  it('[O10] used for three servers at once sends one person at a time, and each server gets its token', async () => {
    const places = [await world()]
    for (let nth = 0; nth < 2; nth++) places.push(await serveProtected(places[0]!.as))
    let open = 0
    let most = 0
    class Waiting extends Stranger {
      override redirectToAuthorization(url: URL): void {
        super.redirectToAuthorization(url)
        most = Math.max(most, ++open)
      }
      async authorizationResponse(): Promise<URLSearchParams> {
        const answer = await comeBack(places[0]!.as, this)
        open--
        return answer
      }
    }
    const provider = new Waiting()
    const saved: (string | undefined)[] = []
    provider.saveTokens = (tokens) => {
      saved.push(tokens.resource)
      provider.kept = tokens
    }
    const sources = places.map(({ mcp }) => new OAuthTokenSource(provider, mcp.url))
    const challenge = { status: 401, wwwAuthenticate: 'Bearer', token: undefined }
    expect(await Promise.all(sources.map((source) => source.challenge(challenge)))).toEqual([true, true, true])
    expect(most).toBe(1)
    expect(new Set(saved)).toEqual(new Set(places.map(({ mcp }) => mcp.url)))
    expect(saved).toHaveLength(3)
  })
})

describe('a client of others', () => {
  it('[O2] [O16] hears UnauthorizedError, ends the sign-in with finishAuth and connects', async () => {
    const place = await world({}, { era: 'sessions' })
    let sentTo: URL | undefined
    const authProvider = person(place, { signIn: (url) => void (sentTo = url) })
    const transport = new HttpTransport({ url: place.mcp.url, authProvider })
    const error = await new Client({ name: 'a', version: '1' })
      .connect(transport as never)
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UnauthorizedError)
    expect(oauthErrorOf(error)?.fault).toBe('sign-in-needed')
    await transport.finishAuth(await place.as.signIn(sentTo!))
    const client = closing(new Client({ name: 'a', version: '1' }))
    await client.connect(new HttpTransport({ url: place.mcp.url, authProvider }) as never)
    expect(await client.callTool(call)).toMatchObject(done)
  })

  it('[O16] that hands in a code alone where a state was sent is told to hand in the whole answer', async () => {
    const place = await world()
    const authProvider = person(place, { signIn: () => {} })
    await auth(authProvider, { serverUrl: place.mcp.url })
    const transport = new HttpTransport({ url: place.mcp.url, authProvider })
    const { message } = await refusalOf(transport.finishAuth('code'), 'foreign-answer')
    expect(message).toMatch(/no state: hand in the whole query/)
  })
})

describe('a registration', () => {
  it('[O7] [A1.13] that brings a secret and no word of how to use it is used with the secret', async () => {
    const place = await world()
    place.as.metadata = { token_endpoint_auth_methods_supported: undefined }
    place.as.faults.set('/register', ({ body }) => {
      const { token_endpoint_auth_method: _method, ...wanted } = JSON.parse(body) as Fields
      place.as.clients.set('told', { secret: 'canary-told', redirectUris: [REDIRECT] })
      return { status: 201, body: { ...wanted, client_id: 'told', client_secret: 'canary-told' } }
    })
    const provider = person(place)
    expect(await (await connect(place, provider)).callTool(call)).toMatchObject(done)
    expect(provider.opened).toHaveLength(1)
  })

  it('[O15] by a key says for whom its assertion is meant: the issuer, or whom people name', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    for (const audience of [undefined, 'https://as.example/token']) {
      const place = await world()
      place.as.faults.set('/token', () => ({ body: { access_token: 'canary-any', token_type: 'Bearer' } }))
      const provider = new PrivateKeyJwtProvider({
        serverUrl: place.mcp.url,
        clientId: 'machine',
        privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
        algorithm: 'ES256',
        ...(audience && { audience }),
      })
      await auth(provider, { serverUrl: place.mcp.url })
      const [form] = place.as.tokenRequests
      expect(readJwt(form?.get('client_assertion') ?? '')?.claims['aud']).toBe(audience ?? place.as.issuer)
    }
  })
})

describe('a question', () => {
  it('[O11] that was answered is not asked again: not to come back, to refresh, to sign in anew or to sign out', async () => {
    const place = await world()
    const { as, mcp } = place
    const elsewhere = await startListener()
    elsewhere.faults.set('/register', ({ body }) => {
      as.clients.set('told', { redirectUris: [REDIRECT] })
      return { status: 201, body: { ...(JSON.parse(body) as Fields), client_id: 'told' } }
    })
    as.metadata = { registration_endpoint: `${elsewhere.origin}/register`, revocation_endpoint: `${as.issuer}/revoke` }
    place.protection.metadata = { resource: mcp.origin }
    const kinds: string[] = []
    let sentTo: URL | undefined
    const provider = person(place, {
      signIn: (url) => void (sentTo = url),
      confirm: ({ kind }) => kinds.push(kind) > 0,
    })
    const time = skipTime()
    expect(await auth(provider, { serverUrl: mcp.url })).toBe('REDIRECT')
    await auth(provider, { serverUrl: mcp.url, callback: await as.signIn(sentTo!) })
    const client = await connect(place, provider)
    time.by(3_590_000)
    await client.callTool(call)
    as.expireTokens()
    await client.callTool(call)
    const grants = as.tokenRequests.map((form) => form.get('grant_type'))
    expect(grants).toEqual(['authorization_code', 'refresh_token', 'refresh_token'])
    as.revokeAll()
    await refusalOf(client.callTool(call), 'sign-in-needed')
    await auth(provider, { serverUrl: mcp.url, callback: await as.signIn(sentTo!) })
    await signOut(provider, { serverUrl: mcp.url })
    expect(as.to('/revoke')).toHaveLength(1)
    expect(kinds).toEqual(['parent-resource', 'foreign-endpoints'])
  })

  it('[O11] that was answered is asked again when it is another one', async () => {
    const place = await world()
    place.protection.metadata = { resource: place.mcp.origin }
    const kinds: string[] = []
    const provider = person(place, { confirm: ({ kind }) => kinds.push(kind) > 0 })
    const client = await connect(place, provider)
    const elsewhere = await startListener()
    place.as.metadata = { revocation_endpoint: `${elsewhere.origin}/revoke` }
    place.as.expireTokens()
    await client.callTool(call)
    expect(kinds).toContain('foreign-endpoints')
  })

  it('[O6] [A1.11] an authorization server that says nothing of PKCE is used after a yes only, with PKCE', async () => {
    const place = await world()
    place.as.metadata = { code_challenge_methods_supported: undefined }
    await refusalOf(connect(place, person(place)), 'no-pkce')
    await refusalOf(connect(place, person(place, { confirm: () => false })), 'no-pkce')
    const questions: Question[] = []
    const provider = person(place, { confirm: (question) => questions.push(question) > 0 })
    expect(await (await connect(place, provider)).callTool(call)).toMatchObject(done)
    expect(questions).toEqual([{ kind: 'no-pkce', server: place.mcp.origin, issuer: place.as.issuer }])
    expect(provider.opened[0]?.searchParams.get('code_challenge_method')).toBe('S256')
  })

  it.each([[['plain']], [[]]])('[O6] [A1.11] one that says it knows %j only is used after no yes', async (methods) => {
    const place = await world()
    place.as.metadata = { code_challenge_methods_supported: methods }
    const questions: Question[] = []
    const provider = person(place, { confirm: (question) => questions.push(question) > 0 })
    await refusalOf(connect(place, provider), 'no-pkce')
    expect(questions).toEqual([])
  })
})

describe('signing out', () => {
  it.each([400, 500, 503])(
    '[O19] answered with %i says that nobody was told, and forgets all the same',
    async (status) => {
      const place = await world()
      place.as.metadata = { revocation_endpoint: `${place.as.issuer}/revoke` }
      place.as.faults.set('/revoke', () => ({ status, body: { error: 'server_error' } }))
      const provider = person(place)
      await connect(place, provider)
      const { message } = await refusalOf(signOut(provider, { serverUrl: place.mcp.url }), 'network')
      expect(message).toContain(place.as.host)
      expect(await provider.tokens()).toBeUndefined()
    },
  )

  it('[O19] with a provider that cannot forget is refused before anything is said', async () => {
    const place = await world()
    const provider = new Stranger()
    const { url: serverUrl } = place.mcp
    await auth(provider, { serverUrl })
    await auth(provider, { serverUrl, callback: await comeBack(place.as, provider) })
    const before = place.as.requests.length
    await expect(signOut(provider, { serverUrl })).rejects.toThrow(/^signOut needs invalidateCredentials/)
    expect(place.as.requests).toHaveLength(before)
  })
})
