import { quote } from '../failure.ts'
import type { Challenge, TokenSource } from '../transport/token-source.ts'
import { type AuthOptions, type AuthResult, auth } from './auth.ts'
import { readTokens, recordDiscovery } from './bindings.ts'
import { readChallenge } from './challenge.ts'
import { now } from './clock.ts'
import { type Discovered, discover, isWithin } from './discover.ts'
import { type Wire, wireTo } from './fetch-document.ts'
import { OAuthError } from './oauth-error.ts'
import type { OAuthClientProvider, OAuthFetch, OAuthTokens } from './provider.ts'
import { refresh } from './refresh.ts'
import { identify } from './identify.ts'
import { covers, unionOf } from './scope.ts'
import { isExpiring } from './token.ts'

const REST_MS = 30_000
/** How long a server that refuses what was just given for it is not worth another sign-in. */
const VAIN_MS = 60_000

/** Who is signing in, and for what: two clients with one provider must not send a person twice. */
const signingIn = new WeakMap<OAuthClientProvider, { purpose: string; result: Promise<AuthResult> }>()

/** What the transport asks for tokens: from the provider's store, refreshed ahead of time, renewed when refused. */
export class OAuthTokenSource implements TokenSource {
  readonly #provider: OAuthClientProvider
  readonly #serverUrl: URL
  readonly #wire: Wire
  #tokens: OAuthTokens | undefined
  #discovered: Promise<Discovered> | undefined
  #refreshing: Promise<void> | undefined
  /** An authorization server that is down is not asked with every request. */
  #restUntil = 0
  /** Rights that were asked for and did not help: asking again would only bother people. */
  readonly #refused = new Set<string>()
  /** What was given last, until the server has taken it. */
  #untried: { token: string; until: number } | undefined

  constructor(provider: OAuthClientProvider, serverUrl: string | URL, fetch?: OAuthFetch) {
    this.#provider = provider
    this.#serverUrl = new URL(serverUrl)
    this.#wire = wireTo(this.#serverUrl, fetch)
  }

  async token(): Promise<string | undefined> {
    await this.#read()
    const tokens = this.#tokens
    if (tokens?.refresh_token && tokens.issuer && isExpiring(tokens) && now() > this.#restUntil) {
      // When it fails, the server decides whether the old one is still good.
      this.#refreshing ??= this.#refresh(tokens)
        .catch(() => {
          this.#restUntil = now() + REST_MS
        })
        .finally(() => {
          this.#refreshing = undefined
        })
      await this.#refreshing
      await this.#read()
    }
    return this.#tokens?.access_token
  }

  /** The headers that carry a token: one that is bound to a key comes with a proof of the key. */
  async sign(method: string, url: string, token: string): Promise<Record<string, string>> {
    const proof = this.#tokens?.token_type?.toLowerCase() === 'dpop' ? await this.#provider.dpop?.() : undefined
    if (!proof) return { authorization: `Bearer ${token}` }
    const dpop = await proof.buildProof({ htm: method, htu: url, accessToken: token })
    return { authorization: `DPoP ${token}`, dpop }
  }

  async answered(response: Response, url: string): Promise<void> {
    if (response.status !== 401) this.#untried = undefined
    if (response.headers.has('dpop-nonce')) (await this.#provider.dpop?.())?.observeNonce(response, url)
  }

  async challenge({ status, wwwAuthenticate, token }: Challenge): Promise<boolean> {
    const { scope: named, error, resourceMetadata } = readChallenge(wwwAuthenticate)
    // What it was sent has no place among rights: they are shown, and stand in addresses.
    const scope = token !== undefined && named?.includes(token) ? undefined : named
    // Its nonce is known by now.
    if (wwwAuthenticate?.includes('use_dpop_nonce')) return true
    await this.#read()
    const tokens = this.#tokens
    const options: AuthOptions = {
      serverUrl: this.#serverUrl,
      fetchFn: this.#wire.fetch,
      resourceMetadataUrl: resourceMetadata,
      refused: tokens,
    }
    this.#discovered = undefined
    if (status === 403) {
      if (error !== 'insufficient_scope') return false
      const newer = tokens && token !== undefined && tokens.access_token !== token
      if (newer && covers(tokens.scope, scope)) return true
      const wanted = unionOf(tokens?.scope, scope)
      if (!wanted || covers(tokens?.scope, scope) || this.#refused.has(wanted)) {
        throw new OAuthError(
          'scope-refused',
          `${this.#serverUrl.host} wants more rights than it gave: ${quote(scope ?? '?')}`,
        )
      }
      const obtained = await this.#obtain({ ...options, scope: wanted, forceReauthorization: true })
      // Not before: somebody who closed the window may be asked again.
      this.#refused.add(wanted)
      return obtained
    }
    // A token that was refused while a newer one is stored is no news.
    if (tokens && token !== undefined && tokens.access_token !== token) return true
    if (token !== undefined && token === this.#untried?.token && now() < this.#untried.until) {
      const { host } = this.#serverUrl
      throw new OAuthError('token-refused', `${host} refuses the token that was just given for it: tell its operator`)
    }
    return this.#obtain({ ...options, scope: unionOf(scope, token === undefined ? undefined : tokens?.scope) })
  }

  async #obtain(options: AuthOptions): Promise<boolean> {
    const provider = this.#provider
    const purpose = `${this.#serverUrl.href} ${options.scope} ${options.forceReauthorization}`
    let running = signingIn.get(provider)
    // What is asked of a person for another purpose does not answer this one, but comes first.
    while (running && running.purpose !== purpose) {
      await running.result.catch(() => {})
      await this.#read()
      const changed = this.#tokens && this.#tokens.access_token !== options.refused?.access_token
      if (changed && !options.forceReauthorization) return true
      // After the last wait: another that waited may have begun.
      running = signingIn.get(provider)
    }
    if (!running) {
      running = { purpose, result: auth(provider, options).finally(() => signingIn.delete(provider)) }
      signingIn.set(provider, running)
    }
    if ((await running.result) !== 'AUTHORIZED')
      throw new OAuthError('sign-in-needed', `Sign in to ${this.#serverUrl.host}, then call again`)
    await this.#read()
    if (this.#tokens) this.#untried = { token: this.#tokens.access_token, until: now() + VAIN_MS }
    return true
  }

  /** Tokens for another server are none for this one, however they got here. */
  async #read(): Promise<void> {
    const tokens = await readTokens(this.#provider)
    const resource = tokens?.resource
    this.#tokens = resource === undefined || (await this.#fits(resource)) ? tokens : undefined
  }

  async #fits(resource: string): Promise<boolean> {
    const provider = this.#provider
    if (!provider.validateResourceURL) return isWithin(this.#serverUrl, resource)
    // A provider that chooses the resource itself answers for it.
    try {
      const chosen = await provider.validateResourceURL(this.#serverUrl, resource)
      return chosen ? chosen.href === resource : isWithin(this.#serverUrl, resource)
    } catch {
      return false
    }
  }

  async #refresh(tokens: OAuthTokens): Promise<void> {
    const provider = this.#provider
    this.#discovered ??= discover(this.#wire, provider, this.#serverUrl, undefined, tokens)
    const discovered = await this.#discovered.catch((error: unknown) => {
      this.#discovered = undefined
      throw error
    })
    // Elsewhere now: a person has to know, and the server will ask for it.
    if (discovered.server.issuer !== tokens.issuer) return
    const client = await identify(this.#wire, provider, discovered.server)
    await recordDiscovery(provider, discovered)
    await refresh(this.#wire, provider, discovered, client, tokens)
  }
}
