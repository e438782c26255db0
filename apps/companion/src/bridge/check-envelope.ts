import type { JsonRpcError, JsonRpcRequest } from '@switchboard/mcp'
import { errorAnswer, isObject } from './json-rpc.ts'
import { CAPABILITIES, STATELESS, VERSION } from './revisions.ts'

/** Why a request without a session is not understood: what it must say about itself is missing, or its headers say otherwise. */
export function checkEnvelope({ id, method, params = {} }: JsonRpcRequest, headers: Headers): JsonRpcError | undefined {
  const meta = isObject(params['_meta']) ? params['_meta'] : {}
  const version = meta[VERSION]
  if (version !== STATELESS) {
    const data = { supported: [STATELESS], requested: String(version) }
    return errorAnswer(id, -32022, 'This revision is not spoken here', data)
  }
  if (!isObject(meta[CAPABILITIES])) return errorAnswer(id, -32602, `_meta lacks ${CAPABILITIES}`)
  const expected = new Map([
    ['mcp-protocol-version', version],
    ['mcp-method', method],
  ])
  const name = params[method === 'resources/read' ? 'uri' : method.startsWith('tasks/') ? 'taskId' : 'name']
  if (typeof name === 'string') expected.set('mcp-name', name)
  for (const [header, value] of expected)
    if (decode(headers.get(header) ?? '') !== value)
      return errorAnswer(id, -32020, `${header} is not what the body says`)
  return undefined
}

/** A header value as it was before it had to survive HTTP. */
function decode(value: string): string {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1]
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString()
}
