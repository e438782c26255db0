import { asObject } from './fetch-document.ts'
import type {
  OAuthClientInformation,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthTokens,
  ProofOfPossession,
  Question,
} from './provider.ts'
import { isText } from './sendable.ts'

const TEXTS = [
  'token_type',
  'scope',
  'refresh_token',
  'issuer',
  'resource',
  'agreed',
  'client_secret',
  'token_endpoint_auth_method',
]

/**
 * Where credentials are kept; they are secrets, so keep them as such. A storage that tabs share must give what another tab
 * stored last: IndexedDB does, `localStorage` does not.
 */
export interface OAuthStorage {
  get(key: string): string | undefined | null | Promise<string | undefined | null>
  set(key: string, value: string): void | Promise<void>
  delete(key: string): void | Promise<void>
}

/** Keeps credentials until the program ends. */
export function memoryStorage(): OAuthStorage {
  const values = new Map<string, string>()
  return {
    get: (key) => values.get(key),
    set: (key, value) => void values.set(key, value),
    delete: (key) => void values.delete(key),
  }
}

/** What every provider here needs to know, and where it keeps what it learns. */
export interface StoredProviderOptions {
  /** The MCP server whose credentials these are. */
  serverUrl: string | URL
  /** Default: memory. */
  storage?: OAuthStorage | undefined
  clientName?: string | undefined
  clientMetadata?: Partial<OAuthClientMetadata> | undefined
  /** The client is registered already. Without `issuer` it belongs to the first authorization server it is shown to. */
  clientInformation?: OAuthClientInformation | undefined
  clientMetadataUrl?: string | undefined
  /** What to ask for where the server does not say it. */
  scope?: string | undefined
  dpop?: ProofOfPossession | undefined
  confirm?: ((question: Question) => boolean | Promise<boolean>) | undefined
  /** Origins besides the server's own that may serve its protected resource metadata. */
  resourceMetadataOrigins?: readonly string[] | undefined
  /** Default `'metadata'`: see {@link OAuthClientProvider.allowLegacyDiscovery}. */
  allowLegacyDiscovery?: boolean | 'metadata' | undefined
}

/** A provider that keeps what it is given in a storage, for one server; the others only differ in how tokens come. */
export class StoredProvider implements OAuthClientProvider {
  readonly serverUrl: string
  readonly clientMetadataUrl: string | undefined
  readonly resourceMetadataOrigins: readonly string[] | undefined
  readonly allowLegacyDiscovery: boolean | 'metadata'
  readonly confirm?: (question: Question) => boolean | Promise<boolean>
  protected readonly options: StoredProviderOptions
  protected readonly storage: OAuthStorage
  #pending = ''
  #verifier = ''
  /** Who was asked last: whose registration is thrown away when it is not known there. */
  #issuer: string | undefined

  constructor(options: StoredProviderOptions) {
    if (!options?.serverUrl) throw new TypeError('serverUrl is needed: credentials belong to one server')
    this.options = options
    this.storage = options.storage ?? memoryStorage()
    this.serverUrl = new URL(options.serverUrl, globalThis.location?.href).href
    this.clientMetadataUrl = options.clientMetadataUrl
    this.resourceMetadataOrigins = options.resourceMetadataOrigins
    this.allowLegacyDiscovery = options.allowLegacyDiscovery ?? 'metadata'
    if (options.confirm) this.confirm = options.confirm
  }

  get redirectUrl(): string | URL | undefined {
    return undefined
  }

  get clientMetadata(): OAuthClientMetadata {
    const { clientName = 'Switchboard', clientMetadata, scope } = this.options
    return { client_name: clientName, redirect_uris: [], ...(scope && { scope }), ...clientMetadata }
  }

  async tokens(): Promise<OAuthTokens | undefined> {
    return (await this.#read(`tokens ${this.serverUrl}`, 'access_token')) as OAuthTokens | undefined
  }

  async saveTokens(tokens: OAuthTokens): Promise<void> {
    await this.storage.set(`tokens ${this.serverUrl}`, JSON.stringify(tokens))
  }

  async clientInformation(context?: { issuer: string }): Promise<OAuthClientInformation | undefined> {
    const given = this.options.clientInformation
    if (context) this.#issuer = context.issuer
    if (!given)
      return (
        context && ((await this.#read(this.#clientKey(context), 'client_id')) as OAuthClientInformation | undefined)
      )
    if (given.issuer !== undefined) return given
    const key = `issuer ${this.serverUrl}`
    const issuer = (await this.storage.get(key)) ?? context?.issuer
    // A secret shown once belongs there: the server that asks for it may name another house tomorrow.
    if (issuer && context) await this.storage.set(key, issuer)
    return issuer ? { ...given, issuer } : given
  }

  async saveClientInformation(information: OAuthClientInformation, context: { issuer: string }): Promise<void> {
    await this.storage.set(this.#clientKey(context), JSON.stringify(information))
  }

  isClientInformationDynamicallyRegistered(): boolean {
    return !this.options.clientInformation
  }

  dpop(): ProofOfPossession | undefined {
    return this.options.dpop
  }

  redirectToAuthorization(_url: URL): void | Promise<void> {
    throw new TypeError('This provider has no way to sign a person in')
  }

  /** Always there, so that an answer without a state is refused. */
  state(): string {
    return ''
  }

  savePendingAuthorization(record: string): void | Promise<void> {
    this.#pending = record
  }

  pendingAuthorization(): string | undefined {
    return this.#pending
  }

  /** For other libraries that sign in with this provider; this one keeps the whole record. */
  saveCodeVerifier(verifier: string): void | Promise<void> {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }

  async invalidateCredentials(
    scope: 'all' | 'client' | 'tokens' | 'verifier',
    context?: { tokens?: OAuthTokens; issuer?: string },
  ): Promise<void> {
    const all = scope === 'all'
    const stored = await this.tokens()
    const issuer = context?.issuer ?? this.#issuer ?? stored?.issuer
    if (all || scope === 'verifier') this.#pending = this.#verifier = ''
    // Another tab may have stored newer ones meanwhile.
    const newer = context?.tokens && context.tokens.access_token !== stored?.access_token
    if (all || (scope === 'tokens' && !newer)) await this.storage.delete(`tokens ${this.serverUrl}`)
    if (all || scope === 'client') {
      await this.storage.delete(`issuer ${this.serverUrl}`)
      if (issuer) await this.storage.delete(this.#clientKey({ issuer }))
    }
  }

  #clientKey({ issuer }: { issuer: string }): string {
    return `client ${issuer} ${String(this.redirectUrl ?? '')}`
  }

  /** What is half written, or somebody else's, is nothing. */
  async #read(key: string, needs: string): Promise<object | undefined> {
    const value = asObject((await this.storage.get(key)) ?? '')
    const sound = TEXTS.every((name) => value?.[name] === undefined || isText(value[name]))
    return value && sound && isText(value[needs]) && URL.canParse((value['issuer'] ?? 'none:') as string)
      ? value
      : undefined
  }
}
