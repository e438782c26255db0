import { isMade, isMCPError, MCPError } from '../errors.ts'

/** What went wrong on the way to a token. */
export type OAuthFault =
  /** A person has to sign in; the page for it was asked for, or there is no way to show one. */
  | 'sign-in-needed'
  /** The person, or the authorization server, said no. */
  | 'denied'
  | 'window-closed'
  | 'window-blocked'
  | 'timeout'
  /** The answer of the sign-in page does not belong to what was begun here. */
  | 'foreign-answer'
  /** An address that must not be opened or asked. */
  | 'unsafe-address'
  /** A document is missing, too large, or not what it should be. */
  | 'bad-document'
  | 'issuer-mismatch'
  | 'resource-mismatch'
  /** The authorization server does not protect codes (PKCE, S256). */
  | 'no-pkce'
  /** See {@link Question}: nobody agreed. */
  | 'provider-changed'
  | 'foreign-endpoints'
  | 'foreign-metadata'
  | 'parent-resource'
  /** There is no client id, and no way to get one. */
  | 'no-client'
  | 'registration-refused'
  | 'token-refused'
  /** The server wants more rights than it is given. */
  | 'scope-refused'
  | 'redirect'
  | 'network'

/** A failure on the way to a token. Its text names host and document, never a secret. */
export class OAuthError extends MCPError {
  readonly fault: OAuthFault
  /** The error code of the authorization server, such as `invalid_grant`. */
  readonly oauthCode: string | undefined

  constructor(fault: OAuthFault, message: string, oauthCode?: string) {
    super(message, 'unauthorized')
    this.fault = fault
    this.oauthCode = oauthCode
  }
}

/** An error code of a stranger, if it is one and no essay. */
export function codeOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : undefined
}

/** `instanceof` it is every failure for lack of authorization, whoever threw it. */
export class UnauthorizedError extends MCPError {
  constructor(message = 'Unauthorized') {
    super(message, 'unauthorized')
    this.name = 'UnauthorizedError'
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // What derives from it is a class of its own.
    return this === UnauthorizedError ? isMCPError(value) && value.reason === 'unauthorized' : isMade(this, value)
  }
}

/** The OAuth failure behind a failed call, if that is why it failed. */
export function oauthErrorOf(error: unknown): OAuthError | undefined {
  for (let depth = 0; error instanceof Error && depth < 5; depth++, error = error.cause)
    if (isMCPError(error) && 'fault' in error) return error as OAuthError
  return undefined
}
