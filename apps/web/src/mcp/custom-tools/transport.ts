import type {
  CallToolResult,
  HttpTransport,
  JsonRpcMessage,
  JsonRpcRequest,
  Tool,
  Transport,
  TransportSendOptions,
} from '@switchboard/mcp'
import type { CustomTool } from '#domain/custom-tool.ts'
import { Failed } from '#domain/failure.ts'
import { isObject } from '../judge-schema.ts'
import type { CustomTools } from '../needs.ts'
import { type Collection, runTool } from './run-tool.ts'

/** A transport whose far side is in here. */
export interface CollectionTransport extends Transport {
  /** It has no news beside its messages. */
  on: HttpTransport['on']
}

const UNKNOWN_METHOD = -32601
const UNKNOWN_TOOL = -32602

/**
 * Answers a client as an MCP server would that has the tools of a collection. Whoever uses servers (approvals, fingerprints, grants,
 * the explorer) need not know that there is none.
 */
export function createCollectionTransport(
  server: { id: string; name: string },
  collection: Collection,
  tools: CustomTools,
): CollectionTransport {
  /** As they were listed last. What was approved was seen in a list, so this is what runs, whatever is stored by now. */
  let listed = new Map<string, CustomTool>()
  const ending = new AbortController()
  let unwatch = (): void => {}

  async function answer({ method, params }: JsonRpcRequest, options: TransportSendOptions): Promise<object> {
    switch (method) {
      case 'initialize':
        return {
          protocolVersion: params?.['protocolVersion'],
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: server.name, version: '' },
        }
      case 'ping':
        return {}
      case 'tools/list': {
        const stored = await tools.toolsOf(server.id)
        listed = new Map(stored.map((tool) => [tool.name, tool]))
        return { tools: stored.map(definitionOf) }
      }
      case 'tools/call':
        return call(params ?? {}, options)
      default:
        throw new RpcError(UNKNOWN_METHOD, `There is no ${method}.`)
    }
  }

  async function call(params: Record<string, unknown>, options: TransportSendOptions): Promise<CallToolResult> {
    const tool = listed.get(String(params['name']))
    if (!tool) throw new RpcError(UNKNOWN_TOOL, 'Unknown tool.')
    const args = isObject(params['arguments']) ? params['arguments'] : {}
    const signals = [ending.signal, options.signal, options.abort?.signal].filter((signal) => signal !== undefined)
    const signal = AbortSignal.any(signals)
    const { result, request, status } = await runTool(tool, args, collection, {
      signal,
      onactivity: options.onactivity,
    })
    // For those who look at the messages: what they stand for.
    return {
      ...result,
      _meta: { 'switchboard/request': `${request.method} ${request.url}`, 'switchboard/status': status },
    }
  }

  const transport: CollectionTransport = {
    start() {
      unwatch = tools.watch(server.id, () =>
        transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }),
      )
      return Promise.resolve()
    },
    send(message: JsonRpcMessage, options: TransportSendOptions = {}) {
      if (!('method' in message) || !('id' in message)) return Promise.resolve()
      const { id } = message
      void answer(message, options).then(
        (result) => transport.onmessage?.({ jsonrpc: '2.0', id, result }),
        (error: unknown) => {
          if (error instanceof RpcError)
            return transport.onmessage?.({ jsonrpc: '2.0', id, error: { code: error.code, message: error.message } })
          // Ours, in its own words, in the place of an answer that never travelled.
          const failure =
            error instanceof Failed || ending.signal.aborted ? error : new Failed('internal', String(error))
          return transport.onmessage?.({ jsonrpc: '2.0', id, error: { code: 0, message: '' } }, { failure })
        },
      )
      return Promise.resolve()
    },
    close() {
      unwatch()
      ending.abort(new Failed('stopped', `${server.name} was closed.`))
      transport.onclose?.()
      return Promise.resolve()
    },
    on: () => () => {},
  }
  return transport
}

class RpcError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * A custom tool as a server would list it. Where it is called is a part of the definition, and so of its fingerprint: the same words
 * with another address are another tool.
 */
function definitionOf({
  name,
  description,
  inputSchema,
  annotations,
  method,
  url,
  places,
  wireNames,
  bodyType,
}: CustomTool): Tool {
  const { readOnly, destructive, idempotent, openWorld } = annotations
  return {
    name,
    description,
    inputSchema: { type: 'object', ...inputSchema },
    annotations: {
      ...(readOnly !== undefined && { readOnlyHint: readOnly }),
      ...(destructive !== undefined && { destructiveHint: destructive }),
      ...(idempotent !== undefined && { idempotentHint: idempotent }),
      ...(openWorld !== undefined && { openWorldHint: openWorld }),
    },
    _meta: {
      'switchboard/request': { method, url, places, ...(wireNames && { wireNames }), ...(bodyType && { bodyType }) },
    },
  }
}
