import type { JsonObject } from '../jsonrpc.ts'
import type { ClientCapabilities, Implementation, LogLevel } from '../model.ts'

/** What requests of an era may say about who sends them. */
export interface Sender {
  clientInfo: Implementation
  logLevel?: LogLevel | undefined
}

/** One of the two ways in which MCP servers talk. */
export interface Era {
  readonly revision: string
  /** Every request describes itself; there is no session, no stream of the server's own, no request by the server. */
  readonly stateless: boolean
  /** The `_meta` that every request carries. */
  meta(sender: Sender, capabilities: ClientCapabilities): JsonObject | undefined
  /** Whether a result of this kind may answer this method. */
  readonly allows: (method: string, result: JsonObject) => boolean
}
