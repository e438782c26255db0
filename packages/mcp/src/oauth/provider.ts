/** What a token endpoint gives, and what of it is kept: bound to who gave it and to whom it may be shown. */
export interface OAuthTokens {
  access_token: string
  token_type: string
  expires_in?: number | undefined
  refresh_token?: string | undefined
  scope?: string | undefined
  id_token?: string | undefined
  /** Whose tokens they are: shown to no other authorization server. */
  issuer?: string | undefined
  /** The server they are for: sent to no other. */
  resource?: string | undefined
  /** When they came, in milliseconds since 1970. */
  obtained_at?: number | undefined
  /** What a person agreed to when they came. */
  agreed?: string | undefined
}

/** A client as an authorization server knows it. */
export interface OAuthClientInformation {
  client_id: string
  client_secret?: string | undefined
  client_id_issued_at?: number | undefined
  client_secret_expires_at?: number | undefined
  token_endpoint_auth_method?: string | undefined
  redirect_uris?: string[] | undefined
  /** Where it is registered. A secret without it is sent nowhere. */
  issuer?: string | undefined
}

/** What a client says of itself when it registers (RFC 7591). */
export interface OAuthClientMetadata {
  redirect_uris: string[]
  token_endpoint_auth_method?: string | undefined
  grant_types?: string[] | undefined
  response_types?: string[] | undefined
  application_type?: string | undefined
  client_name?: string | undefined
  client_uri?: string | undefined
  logo_uri?: string | undefined
  scope?: string | undefined
  contacts?: string[] | undefined
  tos_uri?: string | undefined
  policy_uri?: string | undefined
  jwks_uri?: string | undefined
  jwks?: unknown
  software_id?: string | undefined
  software_version?: string | undefined
  software_statement?: string | undefined
}

/** Metadata of an authorization server (RFC 8414, OpenID Connect Discovery). */
export interface AuthorizationServerMetadata {
  issuer: string
  authorization_endpoint?: string | undefined
  token_endpoint?: string | undefined
  registration_endpoint?: string | undefined
  revocation_endpoint?: string | undefined
  scopes_supported?: string[] | undefined
  grant_types_supported?: string[] | undefined
  token_endpoint_auth_methods_supported?: string[] | undefined
  code_challenge_methods_supported?: string[] | undefined
  client_id_metadata_document_supported?: boolean | undefined
  authorization_response_iss_parameter_supported?: boolean | undefined
  [name: string]: unknown
}

/** What the official SDKs keep of a discovery. */
export interface OAuthDiscoveryState {
  authorizationServerUrl: string
  authorizationServerMetadata?: AuthorizationServerMetadata | undefined
  resourceMetadata?: ResourceMetadata | undefined
  resourceMetadataUrl?: string | undefined
}

/** Where a client of `@ai-sdk/mcp` is registered. */
export interface OAuthAuthorizationServerInformation {
  issuer?: string
  authorizationServerUrl: string
  tokenEndpoint: string
}

/** Metadata of a protected server (RFC 9728). */
export interface ResourceMetadata {
  resource: string
  authorization_servers?: string[] | undefined
  scopes_supported?: string[] | undefined
  [name: string]: unknown
}

/** Signs requests so that a stolen token is of no use (RFC 9449). */
export interface ProofOfPossession {
  buildProof(request: { htm: string; htu: string | URL; accessToken?: string }): Promise<string>
  /** Takes the nonce out of an answer. */
  observeNonce(response: Response, url: string | URL): void
}

/** Something a person should see before it goes on. */
export type Question =
  /** Signing in happens elsewhere than last time. */
  | { kind: 'provider-changed'; server: string; from: string; to: string }
  /** The sign-in page, the token endpoint or others (registration, revocation) are not where they are vouched for. */
  | {
      kind: 'foreign-endpoints'
      server: string
      issuer: string
      authorization: string | undefined
      token: string
      others: string[]
    }
  /** The server keeps its protected resource metadata, which names the authorization server, on another origin. */
  | { kind: 'foreign-metadata'; server: string; metadata: string }
  /** The authorization server does not say whether it protects sign-in codes (PKCE); they are protected all the same. */
  | { kind: 'no-pkce'; server: string; issuer: string }
  /** The token will be good for more than this server: for everything under `resource`. */
  | { kind: 'parent-resource'; server: string; resource: string }

/** What a flow knows when it asks a provider for the parameters of a grant. */
export interface GrantContext {
  issuer: string
  tokenEndpoint: string
  resource: string
  fetch: OAuthFetch
}

/** What requests of a sign-in are sent with. */
export type OAuthFetch = (url: string, init: RequestInit) => Promise<Response>

type Awaitable<T> = T | Promise<T>

/**
 * Where an application keeps its credentials and how it sends people to sign in. The interface is the one of the AI SDK
 * and of the official SDKs: a provider written for either fits. What only ours has comes last.
 */
export interface OAuthClientProvider {
  /** Where people come back to; undefined where no person signs in. */
  get redirectUrl(): string | URL | undefined
  get clientMetadata(): OAuthClientMetadata
  /** The https address of this client's own description, which is its id where the server knows such ids. */
  clientMetadataUrl?: string | undefined
  clientInformation(context?: { issuer: string }): Awaitable<OAuthClientInformation | undefined>
  saveClientInformation?(information: OAuthClientInformation, context?: { issuer: string }): Awaitable<void>
  isClientInformationDynamicallyRegistered?(): Awaitable<boolean>
  tokens(context?: { issuer: string }): Awaitable<OAuthTokens | undefined>
  saveTokens(tokens: OAuthTokens, context?: { issuer: string }): Awaitable<void>
  redirectToAuthorization(url: URL): Awaitable<void>
  /** The PKCE verifier alone. Not called for a provider that has {@link savePendingAuthorization}. */
  saveCodeVerifier(verifier: string): Awaitable<void>
  codeVerifier(): Awaitable<string>
  state?(): Awaitable<string>
  saveState?(state: string): Awaitable<void>
  /** The state of the sign-in under way. A provider that has it is held to it: an answer without this state is refused. */
  storedState?(): Awaitable<string | undefined>
  /** The authorization server of stored credentials that do not name their issuer. */
  authorizationServerInformation?(): Awaitable<OAuthAuthorizationServerInformation | undefined>
  saveAuthorizationServerInformation?(information: OAuthAuthorizationServerInformation): Awaitable<void>
  /** What was discovered before: used instead of asking the server again, as in the official SDKs. */
  discoveryState?(): Awaitable<OAuthDiscoveryState | undefined>
  saveDiscoveryState?(state: OAuthDiscoveryState): Awaitable<void>
  /** Told the issuer after discovery, as in the official SDK 2.x. */
  saveAuthorizationServerUrl?(authorizationServerUrl: string): Awaitable<void>
  /** Told the resource after discovery, as in the official SDK 2.x. */
  saveResourceUrl?(resourceUrl: string): Awaitable<void>
  invalidateCredentials?(
    scope: 'all' | 'client' | 'tokens' | 'verifier',
    context?: { tokens: OAuthTokens },
  ): Awaitable<void>
  addClientAuthentication?(
    headers: Headers,
    params: URLSearchParams,
    url: string | URL,
    metadata?: AuthorizationServerMetadata,
  ): Awaitable<void>
  /**
   * Parameters of the token request, `grant_type` among them. Asked at once where there is no `redirectUrl`, otherwise when a
   * person has come back; undefined for the usual ones.
   */
  prepareTokenRequest?(scope?: string, context?: GrantContext): Awaitable<URLSearchParams | undefined>
  validateResourceURL?(server: string | URL, resource?: string): Promise<URL | undefined>
  validateAuthorizationServerURL?(server: string | URL, authorizationServer: string | URL): Awaitable<void>
  scopeForRefresh?(tokens: OAuthTokens): Awaitable<string | undefined>
  dpop?(): Awaitable<ProofOfPossession | undefined>

  /**
   * Waits for a person to come back: with what they bring the flow goes on by itself, and the call that needed it too.
   * Undefined where they will come back to another page.
   */
  authorizationResponse?(): Promise<URLSearchParams | undefined>
  /** Asks the person; without it the answer is no, and yes to `parent-resource`. */
  confirm?(question: Question): Awaitable<boolean>
  /** Origins besides the server's own that may serve its protected resource metadata (RFC 9728), without asking `confirm`. */
  resourceMetadataOrigins?: readonly string[] | undefined
  /**
   * For servers without protected resource metadata, such as those of 2025-03-26: `true` (the default) looks for the
   * authorization server at the server's own origin, by its metadata or else at `/authorize`, `/token` and `/register`;
   * `'metadata'` by its metadata only; `false` not at all.
   */
  allowLegacyDiscovery?: boolean | 'metadata' | undefined
  /**
   * Keeps the record of a sign-in under way (verifier, state, issuer, client and more), in the place of
   * {@link saveCodeVerifier}. With it the whole query of the answer is needed, and checked, in any process.
   */
  savePendingAuthorization?(record: string): Awaitable<void>
  pendingAuthorization?(): Awaitable<string | undefined>
}
