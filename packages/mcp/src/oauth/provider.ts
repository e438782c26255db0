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

/** Where a client of `@ai-sdk/mcp` is registered. */
export interface OAuthAuthorizationServerInformation {
  issuer?: string
  authorizationServerUrl: string
  tokenEndpoint: string
}

/** Metadata of a protected server (RFC 9728). */
export interface ResourceMetadata {
  resource: string
  authorization_servers?: string[]
  scopes_supported?: string[]
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
  /** What is saved is more than the verifier; it has to come back as it is. */
  saveCodeVerifier(verifier: string): Awaitable<void>
  codeVerifier(): Awaitable<string>
  state?(): Awaitable<string>
  saveState?(state: string): Awaitable<void>
  /** Never asked: what was sent is in the record that {@link saveCodeVerifier} keeps. */
  storedState?(): Awaitable<string | undefined>
  /** Neither is asked: clients and tokens are kept with the issuer they belong to. */
  authorizationServerInformation?(): Awaitable<OAuthAuthorizationServerInformation | undefined>
  saveAuthorizationServerInformation?(information: OAuthAuthorizationServerInformation): Awaitable<void>
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
  /** Parameters of a grant without a person, `grant_type` among them. */
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
  /** Look for the authorization server where the revision of 2025-03-26 had it: at the server's own origin. */
  allowLegacyDiscovery?: boolean | undefined
}
