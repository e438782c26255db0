export type {
  ElicitationHandler,
  Inquiry,
  ListKind,
  MCPClientConfig,
  RequestOptions,
  Roots,
  SamplingHandler,
} from './client/connection.ts'
export { createMCPClient } from './client/create-client.ts'
export type { ListArguments } from './client/list.ts'
export { MCPClient } from './client/mcp-client.ts'
export type { Subscription } from './client/subscribe.ts'
export { isMCPError, MCPError, type Reason } from './errors.ts'
export type {
  JsonObject,
  JsonRpcError,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  JsonRpcResult,
  RequestId,
} from './jsonrpc.ts'
export type * from './model.ts'
export { HttpTransport, type HttpTransportOptions } from './transport/http.ts'
export type { Challenge, TokenSource } from './transport/token-source.ts'
export type { MessageExtra, Transport, TransportEvents, TransportSendOptions } from './transport/transport.ts'
