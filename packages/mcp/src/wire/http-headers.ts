import { isObject, type JsonRpcMessage } from '../jsonrpc.ts'

export const META_PREFIX = 'io.modelcontextprotocol/'
export const VERSION_KEY = `${META_PREFIX}protocolVersion`

/** The revision that a stateless request declares in its body, or undefined for a request of the session era. */
export function declaredRevision(message: JsonRpcMessage): string | undefined {
  const meta = 'params' in message ? message.params?.['_meta'] : undefined
  const revision = isObject(meta) ? meta[VERSION_KEY] : undefined
  return typeof revision === 'string' ? revision : undefined
}

/** A header value as the specification encodes it: plain where it survives HTTP unchanged, else base64 of its UTF-8. */
export function encodeHeaderValue(value: string): string {
  if (/^(?! )[ -~]*(?<! )$/.test(value) && !/^=\?base64\?.*\?=$/.test(value)) return value
  let bytes = ''
  for (const byte of new TextEncoder().encode(value)) bytes += String.fromCharCode(byte)
  return `=?base64?${btoa(bytes)}?=`
}

/** The standard headers of a stateless request: its revision, its method and what it is about. */
export function statelessHeaders(message: JsonRpcMessage, revision: string): Record<string, string> {
  const headers: Record<string, string> = { 'mcp-protocol-version': revision }
  if (!('method' in message)) return headers
  const { method, params } = message
  headers['mcp-method'] = method
  const name = params?.[method === 'resources/read' ? 'uri' : method.startsWith('tasks/') ? 'taskId' : 'name']
  if (typeof name === 'string') headers['mcp-name'] = encodeHeaderValue(name)
  return headers
}
