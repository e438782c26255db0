/** Why a call failed; `switch` on it, or ask the questions of {@link MCPError}. */
export type Reason =
  /** The server answered with a JSON-RPC error. */
  | 'rpc'
  /** The server answered with an HTTP error and nothing more. */
  | 'http'
  /** No connection, or it broke before the answer was whole. */
  | 'network'
  | 'timeout'
  | 'session-expired'
  | 'unauthorized'
  /** The server redirects elsewhere; nothing was sent there. */
  | 'redirect'
  /** The answer is not MCP. */
  | 'protocol'
  | 'too-large'
  /** A bound was reached: pages, rounds. */
  | 'limit'
  /** This client was closed. */
  | 'closed'

export interface FailureDetails {
  reason: Reason
  code?: number | undefined
  /** What the server attached to its error: untrusted. */
  data?: unknown
  /** The request that failed. */
  method?: string | undefined
  statusCode?: number | undefined
  retryAfterMs?: number | undefined
  /** The request may have arrived; its answer did not. */
  lost?: boolean | undefined
  /** The request does no harm when it runs twice. */
  repeatable?: boolean | undefined
  cause?: unknown
}

const CODES: { [reason in Reason]?: number } = { timeout: -32000, 'session-expired': -32000, network: -32001 }

/** Every failure of this library, with questions instead of string matching. */
export class MCPError extends Error {
  readonly reason: Reason
  /** The JSON-RPC code of the server; -32000 time-out or session expired, -32001 network. */
  readonly code: number
  readonly data: unknown
  readonly method: string | undefined
  readonly statusCode: number | undefined
  readonly retryAfterMs: number | undefined
  /** The request may have arrived; its answer did not. */
  readonly lost: boolean
  readonly #repeatable: boolean

  constructor(message: string, details: FailureDetails) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.name = 'MCPError'
    this.reason = details.reason
    this.code = details.code ?? CODES[details.reason] ?? -32603
    this.data = details.data
    this.method = details.method
    this.statusCode = details.statusCode
    this.retryAfterMs = details.retryAfterMs
    this.lost = details.lost ?? false
    this.#repeatable = details.repeatable ?? false
  }

  isToolNotFound(): boolean {
    // Servers agree on no code for it: -32602 is the specification's, -32601 what many send.
    return (
      this.reason === 'rpc' &&
      this.method === 'tools/call' &&
      (this.code === -32601 || (this.code === -32602 && /not found|unknown|no such/i.test(this.message)))
    )
  }
  isTimeout(): boolean {
    return this.reason === 'timeout'
  }
  isSessionExpired(): boolean {
    return this.reason === 'session-expired'
  }
  isNetworkError(): boolean {
    return this.reason === 'network'
  }
  isUnauthorized(): boolean {
    return this.reason === 'unauthorized'
  }
  isTooLarge(): boolean {
    return this.reason === 'too-large'
  }
  /** Whether the tool may have run although no answer came: ask before running it again. */
  isOutcomeUnknown(): boolean {
    return this.lost && !this.#repeatable
  }
}

/** Whether a thrown value is an {@link MCPError}, also one of another copy of this library. */
export function isMCPError(value: unknown): value is MCPError {
  return value instanceof Error && value.name === 'MCPError' && 'reason' in value
}

/** Text of strangers for an error message: short, one line, no control or direction characters. */
export function quote(text: string): string {
  return text.slice(0, 200).replace(/[\p{C}\s]+/gu, ' ')
}
