import type { JsonObject, JsonRpcError, JsonRpcMessage, JsonRpcRequest, RequestId } from '@switchboard/mcp'

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isRequest = (message: JsonRpcMessage): message is JsonRpcRequest => 'method' in message && 'id' in message

export const errorAnswer = (id: RequestId | null, code: number, message: string, data?: unknown): JsonRpcError => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data !== undefined && { data }) },
})
