import type { SavedTask } from './model.ts'

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
  /** The task was cancelled. */
  | 'cancelled'
  /** The server does not know the task any more, or the store the subscription. */
  | 'expired'
  /** This client was closed. */
  | 'closed'

export interface FailureDetails {
  code?: number | undefined
  /** The `message` of the server's JSON-RPC error: untrusted, at full length. */
  serverMessage?: string | undefined
  /** What the server attached to its error: untrusted. */
  data?: unknown
  /** The request that failed. */
  method?: string
  statusCode?: number | undefined
  /** Of the HTTP error, without its query. */
  url?: string | undefined
  retryAfterMs?: number | undefined
  /** The request may have arrived; its answer did not. */
  lost?: boolean
  /** Running it twice does no harm. */
  repeatable?: boolean
  cause?: unknown
}

const CODES: { [reason in Reason]?: number } = { timeout: -32000, 'session-expired': -32000, network: -32001 }

/** Every failure of this library, with questions instead of string matching. */
export class MCPError extends Error {
  declare readonly reason: Reason
  /**
   * The JSON-RPC code of the server; -32000 time-out or session expired, -32001 network; 401 or 403 where authorization was
   * refused with that status; undefined otherwise.
   */
  declare readonly code: number | undefined
  /** The `message` of the server's JSON-RPC error, at full length and without credentials; `message` quotes its beginning. Untrusted. */
  declare readonly serverMessage: string | undefined
  declare readonly data: unknown
  declare readonly method: string | undefined
  declare readonly statusCode: number | undefined
  /** Which address answered with that status; without its query. */
  declare readonly url: string | undefined
  /** When the server says it can be asked again. */
  declare readonly retryAfterMs: number | undefined
  /** The request may have arrived; its answer did not. */
  declare readonly lost: boolean | undefined
  declare readonly repeatable: boolean | undefined
  /** The task that the call became, where it may still be under way: hand it to `resumeTask`. */
  declare readonly task: SavedTask | undefined

  constructor(message: string, reason: Reason, { cause, code, ...details }: FailureDetails = {}) {
    super(message, { cause })
    this.name = 'MCPError'
    this.reason = reason
    this.code = code ?? CODES[reason]
    Object.assign(this, details)
  }

  isToolNotFound(): boolean {
    // Servers agree on no code for it: -32602 is the specification's, -32601 what many send.
    const { code, method, message } = this
    return (
      method === 'tools/call' && (code === -32601 || (code === -32602 && /not found|unknown|no such/i.test(message)))
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
    return this.lost === true && !this.repeatable
  }
}

/** Whether a thrown value is an {@link MCPError}, also one of another copy of this library. */
export function isMCPError(value: unknown): value is MCPError {
  // Not by its name, which is the choice of those who derive from it.
  return value instanceof Error && 'isOutcomeUnknown' in value
}

/** What `instanceof` says of a class that does not say it itself. */
export const isMade = ({ prototype }: { prototype: object }, value: unknown): boolean =>
  Object.prototype.isPrototypeOf.call(prototype, value as object)

/** Runs a listener of strangers: what it throws goes to `report`, not into the stream it listens to. */
export function guard<T = void>(
  report: ((error: Error) => void) | undefined,
  listener: ((value: T) => void) | undefined,
  // No rest parameter: an array for every notification would show.
  value?: T,
): void {
  try {
    listener?.(value as T)
  } catch (error) {
    if (report) guard(undefined, report, error as Error)
  }
}

/** A programmer's mistake, told at once and with a hint. */
export function must(condition: unknown, hint: string): asserts condition {
  if (!condition) throw new TypeError(hint)
}

/** Why everything under way ends. Made where it is thrown, so that its stack says who closed the client or called too late. */
export const closedError = (): MCPError => new MCPError('The client was closed', 'closed')
