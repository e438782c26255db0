import { asMessage, isObject, type JsonRpcMessage } from '../jsonrpc.ts'

const PARTS = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error'])

/** The value as a JSON-RPC message of MCP, to the letter; throws a TypeError when it is none. For authors of transports. */
export function validateJSONRPCMessage(value: unknown): JsonRpcMessage {
  const message = asMessage(value)
  if (!message || !isObject(value)) throw new TypeError('not a JSON-RPC message')
  const { id } = value
  if (id === null || (typeof id === 'number' && !Number.isInteger(id)))
    throw new TypeError('the id of a JSON-RPC message is a string or an integer')
  const foreign = Object.keys(value).find((key) => !PARTS.has(key))
  const mixed = ['method', 'result', 'error'].filter((key) => key in value)
  if (foreign !== undefined || mixed.length !== 1) throw new TypeError('not one kind of JSON-RPC message alone')
  return message
}
