import type {
  JsonObject,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  RequestId,
} from '@switchboard/mcp'
import type { Child } from './child.ts'
import { isObject, isRequest } from './json-rpc.ts'

export interface WireOptions {
  signal?: AbortSignal | undefined
  /** News of this request: its progress, under the token that its client gave, and what its stream tells. */
  ontold?: ((message: JsonRpcNotification) => void) | undefined
}

interface Waiting extends WireOptions {
  readonly token: unknown
  resolve(answer: JsonRpcResponse): void
}

/** One program used by several clients: each of their requests has an id and a progress token of its own here. */
export interface Wire {
  /** Resolves with the answer, under our id; never when it was aborted. */
  request(method: string, params: JsonObject, options?: WireOptions): Promise<JsonRpcResponse>
  notify(method: string, params?: JsonObject): void
  answer(id: RequestId, answer: { result: JsonObject } | { error: { code: number; message: string } }): void
  /** How many requests wait. */
  readonly waiting: number
  onrequest: (request: JsonRpcRequest) => void
  onnotification: (notification: JsonRpcNotification) => void
  onend: () => void
}

export function createWire(child: Child, subscriptionOf: (message: JsonRpcNotification) => unknown): Wire {
  const waiting = new Map<RequestId, Waiting>()
  let nextId = 1
  const wire: Wire = {
    request(method, params, { signal, ontold } = {}) {
      const id = nextId++
      const meta = isObject(params['_meta']) ? params['_meta'] : {}
      const token = meta['progressToken']
      const sent = token === undefined ? params : { ...params, _meta: { ...meta, progressToken: id } }
      return new Promise((resolve) => {
        if (signal?.aborted) return
        waiting.set(id, { token, ontold, resolve })
        signal?.addEventListener('abort', () => waiting.delete(id), { once: true })
        child.send({ jsonrpc: '2.0', id, method, params: sent }, signal)
      })
    },
    notify: (method, params) => child.send({ jsonrpc: '2.0', method, params }),
    answer: (id, answer) => child.send({ jsonrpc: '2.0', id, ...answer }),
    get waiting() {
      return waiting.size
    },
    onrequest: () => {},
    onnotification: () => {},
    onend: () => {},
  }
  const hear = (message: JsonRpcNotification): void => {
    const { method, params = {} } = message
    const progress = method === 'notifications/progress' ? waiting.get(params['progressToken'] as RequestId) : undefined
    if (progress && progress.token !== undefined)
      return progress.ontold?.({ ...message, params: { ...params, progressToken: progress.token } })
    const listener = waiting.get(subscriptionOf(message) as RequestId)
    if (listener) return listener.ontold?.(message)
    if (method !== 'notifications/progress') wire.onnotification(message)
  }
  child.onmessage = (message: JsonRpcMessage) => {
    if (isRequest(message)) return wire.onrequest(message)
    if ('method' in message) return hear(message)
    const asker = waiting.get(message.id ?? '')
    waiting.delete(message.id ?? '')
    asker?.resolve(message)
  }
  child.onend = () => wire.onend()
  return wire
}
