import { type FailureDetails, isMade, isMCPError, MCPError } from '../errors.ts'

/** What an {@link MCPClientError} is made of. */
export type MCPClientErrorOptions = Pick<FailureDetails, 'cause' | 'data' | 'code' | 'statusCode' | 'url'> & {
  message: string
  name?: string
  responseBody?: string
}

/** {@link MCPError} under the name that `@ai-sdk/mcp` has for it: every one is an instance of this. */
export class MCPClientError extends MCPError {
  /** Only where you made the error: what a stranger wrote into a body may echo secrets, and ours hold none. */
  declare readonly responseBody: string | undefined

  constructor({ message, name = 'MCPClientError', ...details }: MCPClientErrorOptions) {
    const reason = details.code === undefined ? (details.statusCode === undefined ? 'protocol' : 'http') : 'rpc'
    super(message, reason, details)
    this.name = name
  }

  static isInstance(error: unknown): error is MCPClientError {
    return isMCPError(error)
  }
  static override [Symbol.hasInstance](error: unknown): boolean {
    // What derives from it is a class of its own.
    return this === MCPClientError ? isMCPError(error) : isMade(this, error)
  }
}
