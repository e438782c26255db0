// What `@ai-sdk/mcp` calls the same types: a changed import line finds them.
export type { MCPClient as experimental_MCPClient } from '../client/mcp-client.ts'
export type { MCPClientConfig as experimental_MCPClientConfig } from '../client/connection.ts'
export type {
  JsonRpcError as JSONRPCError,
  JsonRpcMessage as JSONRPCMessage,
  JsonRpcNotification as JSONRPCNotification,
  JsonRpcRequest as JSONRPCRequest,
  JsonRpcResult as JSONRPCResponse,
} from '../jsonrpc.ts'
export type {
  ClientCapabilities as experimental_MCPClientCapabilities,
  ClientCapabilities as MCPClientCapabilities,
  CompleteParams as CompleteRequestParams,
  Implementation as Configuration,
  ToolAnnotations as McpToolAnnotations,
} from '../model.ts'
export type {
  Transport as MCPTransport,
  TransportSendOptions as MCPTransportSendOptions,
} from '../transport/transport.ts'
/** How to close a transport: `signal` ends the wait for the server's goodbye. */
export interface MCPTransportCloseOptions {
  signal?: AbortSignal
}
