export { ElicitationRequestSchema, ElicitResultSchema, type MessageSchema } from './ai/elicitation-schemas.ts'
export { MCPClientError, type MCPClientErrorOptions } from './ai/mcp-client-error.ts'
export type * from './ai/peer-names.ts'
export type {
  AITool,
  InferSchema,
  McpProviderMetadata,
  ToolCallOptions,
  ToolSchemas,
  ToolSetOf,
  ToolsOptions,
} from './ai/tool-set.ts'
export { validateJSONRPCMessage } from './ai/validate-message.ts'
export { MCP_APP_MIME_TYPE, mcpAppClientCapabilities } from './apps/app-extension.ts'
export { type MCPAppToolMeta, readMCPAppToolMeta } from './apps/app-tool-meta.ts'
export {
  type MCPAppResource,
  type MCPAppResourceCSP,
  type MCPAppResourceMeta,
  readMCPAppResource,
} from './apps/read-app-resource.ts'
export { type SplitTools, splitMCPAppTools } from './apps/split-app-tools.ts'
export type {
  ElicitationHandler,
  Inquiry,
  ListKind,
  MCPClientConfig,
  RequestOptions,
  Roots,
  SamplingHandler,
} from './client/connection.ts'
export { createMCPClient, createMCPClient as experimental_createMCPClient } from './client/create-client.ts'
export type { ListArguments } from './client/list.ts'
export { MCPClient } from './client/mcp-client.ts'
export { MCPUtils } from './client/mcp-utils.ts'
export type { Subscription } from './client/subscribe.ts'
export { createMCPEventWebhook as experimental_createMCPEventWebhook } from './events/create-event-webhook.ts'
export type {
  ListEventsResult as Experimental_ListEventsResult,
  ManagedMCPClient as Experimental_ManagedMCPClient,
  ManagedMCPEvents as Experimental_ManagedMCPEvents,
  ManagedSubscribeInput as Experimental_ManagedSubscribeInput,
  ManagedSubscription as Experimental_ManagedSubscription,
  MCPEvent as Experimental_MCPEvent,
  MCPEventAdapter as Experimental_MCPEventAdapter,
  MCPEventControl as Experimental_MCPEventControl,
  MCPEventDefinition as Experimental_MCPEventDefinition,
  MCPEventOperations as Experimental_MCPEventOperations,
  MCPEvents as Experimental_MCPEvents,
  MCPEventsConfig as Experimental_MCPEventsConfig,
  MCPEventStore as Experimental_MCPEventStore,
  MCPEventSubscription as Experimental_MCPEventSubscription,
  MCPEventSubscriptionInfo as Experimental_MCPEventSubscriptionInfo,
  MCPEventWebhookOptions as Experimental_MCPEventWebhookOptions,
  SubscribeEventOptions as Experimental_SubscribeEventOptions,
  SubscribeEventResult as Experimental_SubscribeEventResult,
} from './events/event-types.ts'
export { isMCPError, MCPError, type Reason } from './errors.ts'
export { detectToolDrift, type ToolDrift } from './fingerprint/detect-drift.ts'
export { detectMCPAppResourceDrift, fingerprintMCPAppResource } from './fingerprint/fingerprint-app-resource.ts'
export { type FingerprintOptions, fingerprintToolDefinition } from './fingerprint/fingerprint-definition.ts'
export { fingerprintTools, type ToolFingerprints } from './fingerprint/fingerprint-tools.ts'
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
export type {
  ForeignTransport,
  MessageExtra,
  Transport,
  TransportEvents,
  TransportSendOptions,
} from './transport/transport.ts'
