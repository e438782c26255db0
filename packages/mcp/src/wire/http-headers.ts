import { asks, isObject, type JsonRpcMessage, type JsonRpcRequest } from '../jsonrpc.ts'

export const META_PREFIX = 'io.modelcontextprotocol/'
/** The extension by which calls become tasks. */
export const TASKS = 'io.modelcontextprotocol/tasks'
export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'

/** The revision that a stateless request declares in its body, or undefined for a request of the session era. */
export function declaredRevision(message: JsonRpcMessage): string | undefined {
  const meta = (message as JsonRpcRequest).params?.['_meta']
  const revision = isObject(meta) ? meta[VERSION_KEY] : undefined
  return typeof revision === 'string' ? revision : undefined
}

/** Whether a header value survives HTTP unchanged, and cannot be taken for an encoded one. */
export const isPlain = (value: string): boolean => /^(?! |=\?)[ -~]*(?<! )$/.test(value)

/** Adds the standard headers of a stateless request: its revision, its method and what it is about, not encoded yet. */
export function statelessHeaders(
  message: JsonRpcMessage,
  revision: string,
  headers: Record<string, string>,
): Record<string, string> {
  headers['mcp-protocol-version'] = revision
  if (!asks(message)) return headers
  const { method, params } = message
  headers['mcp-method'] = method
  const name = params?.[method === 'resources/read' ? 'uri' : method.startsWith('tasks/') ? 'taskId' : 'name']
  if (typeof name === 'string') headers['mcp-name'] = name
  return headers
}
