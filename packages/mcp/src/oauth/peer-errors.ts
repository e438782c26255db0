import { isMCPError } from '../errors.ts'
import { OAuthError, type OAuthFault } from './oauth-error.ts'

const faultOf = (error: unknown): OAuthFault | undefined =>
  isMCPError(error) && 'fault' in error ? (error as OAuthError).fault : undefined

/** {@link OAuthError} under the name that `@ai-sdk/mcp` has for it: every one is an instance of this. */
export class MCPClientOAuthError extends OAuthError {
  constructor({ message, cause }: { message: string; cause?: unknown; name?: string }) {
    super('bad-document', message)
    if (cause !== undefined) this.cause = cause
  }
  static isInstance(error: unknown): error is OAuthError {
    return faultOf(error) !== undefined
  }
  static override [Symbol.hasInstance](error: unknown): boolean {
    return faultOf(error) !== undefined
  }
}

/** The authorization server is not the one that a client or a token belongs to; `instanceof` it is every failure of that kind. */
export class AuthorizationServerMismatchError extends MCPClientOAuthError {
  static readonly errorCode = 'authorization_server_mismatch'

  static override isInstance(error: unknown): error is OAuthError {
    return /^(issuer-mismatch|provider-changed)$/.test(String(faultOf(error)))
  }
  static override [Symbol.hasInstance](error: unknown): boolean {
    return AuthorizationServerMismatchError.isInstance(error)
  }
}
