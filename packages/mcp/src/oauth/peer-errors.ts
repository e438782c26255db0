import { isMade, isMCPError } from '../errors.ts'
import { OAuthError, type OAuthFault } from './oauth-error.ts'

const faultOf = (error: unknown): OAuthFault | undefined =>
  isMCPError(error) && 'fault' in error ? (error as OAuthError).fault : undefined

/** {@link OAuthError} under the name that `@ai-sdk/mcp` has for it: every one is an instance of this. */
export class MCPClientOAuthError extends OAuthError {
  constructor(
    { message, cause, name = 'MCPClientOAuthError' }: { message: string; cause?: unknown; name?: string },
    fault: OAuthFault = 'bad-document',
  ) {
    super(fault, message)
    this.name = name
    if (cause !== undefined) this.cause = cause
  }
  static isInstance(error: unknown): error is OAuthError {
    return faultOf(error) !== undefined
  }
  static override [Symbol.hasInstance](error: unknown): boolean {
    // What derives from it is a class of its own.
    return this === MCPClientOAuthError ? this.isInstance(error) : isMade(this, error)
  }
}

/** The authorization server is not the one that a client or a token belongs to; `instanceof` it is every failure of that kind. */
export class AuthorizationServerMismatchError extends MCPClientOAuthError {
  static readonly errorCode = 'authorization_server_mismatch'

  constructor({ message, cause }: { message: string; cause?: unknown }) {
    super({ message, cause, name: 'AuthorizationServerMismatchError' }, 'issuer-mismatch')
  }
  static override isInstance(error: unknown): error is OAuthError {
    return /^(issuer-mismatch|provider-changed)$/.test(String(faultOf(error)))
  }
  static override [Symbol.hasInstance](error: unknown): boolean {
    return this === AuthorizationServerMismatchError ? this.isInstance(error) : isMade(this, error)
  }
}
