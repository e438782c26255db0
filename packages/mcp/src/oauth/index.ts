// oxlint-disable-next-line no-restricted-imports -- one import line has to do: this entry is the other, and sign-in
export * from '../index.ts'
export { type AuthOptions, type AuthResult, auth } from './auth.ts'
export { BrowserOAuthProvider, type BrowserProviderOptions } from './browser-provider.ts'
export { completeSignIn, serverOf } from './callback.ts'
export { ClientCredentialsProvider, type MachineOptions } from './client-credentials.ts'
export { databaseStorage } from './database-storage.ts'
export { createDPoP } from './dpop.ts'
export { EnterpriseProvider, type EnterpriseOptions, JwtBearerProvider, type JwtBearerOptions } from './jwt-bearer.ts'
export { InMemoryOAuthProvider, type InteractiveProviderOptions } from './memory-provider.ts'
export { OAuthError, type OAuthFault, oauthErrorOf, UnauthorizedError } from './oauth-error.ts'
export { AuthorizationServerMismatchError, MCPClientOAuthError } from './peer-errors.ts'
export { type PrivateKeyJwtOptions, PrivateKeyJwtProvider, type SigningAlgorithm } from './private-key-jwt.ts'
export type {
  AuthorizationServerMetadata,
  GrantContext,
  OAuthAuthorizationServerInformation,
  OAuthClientInformation,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthFetch,
  OAuthTokens,
  ProofOfPossession,
  Question,
  ResourceMetadata,
} from './provider.ts'
export { signOut } from './sign-out.ts'
export { memoryStorage, type OAuthStorage, StoredProvider, type StoredProviderOptions } from './stored-provider.ts'
export { OAuthTokenSource } from './token-source.ts'
export {
  createMCPClient,
  createMCPClient as experimental_createMCPClient,
  HttpTransport,
  MCPClient,
  type MCPClient as experimental_MCPClient,
  type OAuthClientConfig,
  type OAuthClientConfig as experimental_MCPClientConfig,
  type OAuthClientConfig as MCPClientConfig,
  type OAuthTransportOptions,
  type OAuthTransportOptions as HttpTransportOptions,
} from './with-oauth.ts'
