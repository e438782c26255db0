import {
  type AuthorizationServerMetadata,
  type OAuthTokens,
  type PrivateKeyJwtProvider,
  type Question,
  StoredProvider,
  type StoredProviderOptions,
} from '@switchboard/mcp/oauth'
import type { SignInOffer } from '#domain/server.ts'
import { attemptId, newState } from './attempt.ts'
import type { SignInNeeds, SignInServer } from './needs.ts'
import { readOffer } from './read-offer.ts'
import { vaultStorage } from './vault-storage.ts'

/** The library gives up on who took ten minutes; a person who clicks late still gets half of them. */
const OFFER_MS = 5 * 60_000
const PROVIDER = 'provider'
const ASKED = 'asked'

type Options = Pick<StoredProviderOptions, 'clientInformation' | 'clientMetadataUrl' | 'scope'>

/**
 * Signs people in, without a window: where they would go is written down as an offer, for a page to open in a click, and what
 * they come back with may come to any tab, after any reload.
 */
export class PersonProvider extends StoredProvider {
  /** Where to sign in, once that was found out. */
  offer: SignInOffer | undefined
  /** A client with a key proves itself by signing. */
  addClientAuthentication?: PrivateKeyJwtProvider['addClientAuthentication']
  readonly #server: SignInServer
  readonly #needs: SignInNeeds
  readonly #questions: Question[] = []
  #isAsking = false
  #flow: { state: string; issuer: string } | undefined
  #asked: string | undefined

  constructor(server: SignInServer, needs: SignInNeeds, options: Options, signer?: PrivateKeyJwtProvider) {
    super({
      ...options,
      serverUrl: server.url,
      storage: vaultStorage(server.id, needs),
      confirm: (question) => this.#ask(question),
    })
    this.#server = server
    this.#needs = needs
    if (signer)
      this.addClientAuthentication = (headers, form, url, metadata?: AuthorizationServerMetadata) =>
        signer.addClientAuthentication(headers, form, url, metadata)
  }

  override get redirectUrl(): string {
    return this.#needs.redirectUrl
  }

  /**
   * Does something in a way that every question may be put to a person with the offer: nothing secret is sent, and nothing
   * that is there is given up, until they go.
   */
  async asking<T>(deed: () => Promise<T>): Promise<T> {
    this.#isAsking = true
    this.#questions.length = 0
    try {
      return await deed()
    } finally {
      this.#isAsking = false
    }
  }

  /** Who has not been asked has not agreed. */
  #ask(question: Question): boolean {
    if (this.#isAsking) this.#questions.push(question)
    return this.#isAsking
  }

  override async tokens(): Promise<OAuthTokens | undefined> {
    const tokens = await super.tokens()
    // A refresh would be sent to whoever the question is about.
    return tokens && this.#isAsking ? { ...tokens, refresh_token: undefined } : tokens
  }

  override async saveTokens(tokens: OAuthTokens): Promise<void> {
    await super.saveTokens(tokens)
    // Stays when the tokens are gone: a change of who signs people in is told even then.
    if (tokens.issuer !== undefined) await this.storage.set(PROVIDER, tokens.issuer)
    // A server may name less than it was asked for; what was asked for once is not news.
    if (this.#asked !== undefined) await this.storage.set(ASKED, this.#asked)
  }

  override async invalidateCredentials(
    scope: 'all' | 'client' | 'tokens' | 'verifier',
    context?: { tokens?: OAuthTokens; issuer?: string },
  ): Promise<void> {
    // A server that names another house must not make us forget what the old one gave.
    if (this.#isAsking && scope === 'tokens') return
    await super.invalidateCredentials(scope, context)
  }

  override state(): string {
    return newState(this.#server.id)
  }

  override async savePendingAuthorization(record: string): Promise<void> {
    const { state, issuer } = JSON.parse(record) as { state: string; issuer: string }
    this.#flow = { state, issuer }
    await this.#needs.secrets.seal(attemptId(this.#server.id, state), record)
  }

  /** Takes an attempt up where it was left; it can be taken up once. */
  async resume(state: string): Promise<void> {
    const id = attemptId(this.#server.id, state)
    const record = await this.#needs.secrets.open(id)
    await this.#needs.secrets.remove(id)
    if (record !== undefined) this.#asked = (JSON.parse(record) as { scope?: string }).scope
    await super.savePendingAuthorization(record ?? '')
  }

  override async redirectToAuthorization(url: URL): Promise<void> {
    const tokens = await super.tokens()
    const before = {
      scope: tokens && `${tokens.scope ?? ''} ${(await this.storage.get(ASKED)) ?? ''}`,
      issuer: (await this.storage.get(PROVIDER)) ?? undefined,
    }
    const until = this.#needs.now() + OFFER_MS
    this.offer = readOffer(this.#server.id, url, this.#flow?.issuer ?? '', before, this.#questions, until)
  }
}
