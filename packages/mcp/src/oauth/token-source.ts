import { quote } from '../failure.ts'
import type { Challenge, TokenSource } from '../transport/token-source.ts'
import { type AuthOptions, type AuthResult, auth, refresh } from './auth.ts'
import { readChallenge } from './challenge.ts'
import { type Discovered, discover, isLocal, isWithin } from './discover.ts'
import type { Wire } from './fetch-document.ts'
import { OAuthError } from './oauth-error.ts'
import type { OAuthClientProvider, OAuthFetch, OAuthTokens } from './provider.ts'
import { identify } from './register.ts'
import { covers, unionOf } from './scope.ts'
import { isExpiring, now } from './token.ts'

const REST_MS = 30_000

/** Who is signing in: two clients with one provider must not send a person twice. */
const signingIn = new WeakMap<OAuthClientProvider, Promise<AuthResult>>()

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

  constructor(provider: OAuthClientProvider, serverUrl: string | URL, fetch?: OAuthFetch) {
    this.#provider = provider
    this.#serverUrl = new URL(serverUrl)
    this.#wire = {
      fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
      local: isLocal(this.#serverUrl),
    }
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
    const proof = this.#tokens?.token_type.toLowerCase() === 'dpop' ? await this.#provider.dpop?.() : undefined
    if (!proof) return { authorization: `Bearer ${token}` }
    const dpop = await proof.buildProof({ htm: method, htu: url, accessToken: token })
    return { authorization: `DPoP ${token}`, dpop }
  }

  async answered(response: Response, url: string): Promise<void> {
    if (response.headers.has('dpop-nonce')) (await this.#provider.dpop?.())?.observeNonce(response, url)
  }

  async challenge({ status, wwwAuthenticate, token }: Challenge): Promise<boolean> {
    const { scope: named, error, resourceMetadata } = readChallenge(wwwAuthenticate)
    // What it was sent has no place among rights: they are shown, and stand in addresses.
    const scope = token !== undefined && named?.includes(token) ? undefined : named
    // Its nonce is known by now.
    if (error === 'use_dpop_nonce') return true
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
      const wanted = unionOf(tokens?.scope, scope)
      if (!wanted || covers(tokens?.scope, scope) || this.#refused.has(wanted)) {
        throw new OAuthError(
          'scope-refused',
          `${this.#serverUrl.host} wants more rights than it gave: ${quote(scope ?? '?')}`,
        )
      }
      this.#refused.add(wanted)
      return this.#obtain({ ...options, scope: wanted, forceReauthorization: true })
    }
    // A token that was refused while a newer one is stored is no news.
    if (tokens && token !== undefined && tokens.access_token !== token) return true
    return this.#obtain({ ...options, scope: unionOf(scope, token === undefined ? undefined : tokens?.scope) })
  }

  async #obtain(options: AuthOptions): Promise<boolean> {
    const provider = this.#provider
    let result = signingIn.get(provider)
    if (!result) {
      result = auth(provider, options).finally(() => signingIn.delete(provider))
      signingIn.set(provider, result)
    }
    if ((await result) === 'AUTHORIZED') return true
    throw new OAuthError('sign-in-needed', `Sign in to ${this.#serverUrl.host}, then call again`)
  }

  /** Tokens for another server are none for this one, however they got here. */
  async #read(): Promise<void> {
    const tokens = await this.#provider.tokens()
    const resource = tokens?.resource
    // A provider that chooses the resource itself answers for it.
    const fits =
      resource === undefined || 'validateResourceURL' in this.#provider || isWithin(this.#serverUrl, resource)
    this.#tokens = fits ? tokens : undefined
  }

  async #refresh(tokens: OAuthTokens): Promise<void> {
    const provider = this.#provider
    this.#discovered ??= discover(this.#wire, provider, this.#serverUrl, undefined, tokens.issuer)
    const discovered = await this.#discovered.catch((error: unknown) => {
      this.#discovered = undefined
      throw error
    })
    // Elsewhere now: a person has to know, and the server will ask for it.
    if (discovered.server.issuer !== tokens.issuer) return
    await refresh(this.#wire, provider, discovered, await identify(this.#wire, provider, discovered.server), tokens)
  }
}
