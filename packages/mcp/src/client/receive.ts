import { guard } from '../errors.ts'
import { isObject, isRequest, isResponse, type JsonRpcMessage, type RequestId } from '../jsonrpc.ts'
import type { MessageExtra } from '../transport/transport.ts'
import { SUBSCRIPTION_ID } from '../wire/era-2026-07-28.ts'
import { answerRequest } from './answer-input.ts'
import type { Connection, ListKind } from './connection.ts'

const CHANGED = new Map<string, ListKind>([
  ['notifications/tools/list_changed', 'tools'],
  ['notifications/resources/list_changed', 'resources'],
  ['notifications/prompts/list_changed', 'prompts'],
])

/** Brings a message to whom it concerns. */
export function receive(connection: Connection, message: JsonRpcMessage, extra?: MessageExtra): void {
  const { pending, cache } = connection
  if (isResponse(message)) return pending.get(message.id as RequestId)?.settle(message, extra)
  if (isRequest(message)) {
    answerRequest(connection, message).catch((error: unknown) => connection.config.onUncaughtError?.(error))
    return
  }
  const { method, params } = message
  if (method === 'notifications/progress') {
    if (params) pending.get(params['progressToken'] as RequestId)?.onprogress?.(params)
  } else if (method === 'notifications/resources/updated') {
    const uri = String(params?.['uri'])
    cache.forget(`resources/read ${uri}`)
    // A server may tell of a part of what was subscribed to.
    for (const [subscribed, handlers] of connection.subscriptions) {
      if (uri === subscribed || uri.startsWith(`${subscribed}/`))
        for (const handler of handlers) guard(connection.config.onUncaughtError, handler)
    }
  } else if (method === 'notifications/subscriptions/acknowledged') {
    const meta = params?.['_meta']
    if (isObject(meta)) pending.get(meta[SUBSCRIPTION_ID] as RequestId)?.onacknowledged?.()
  } else if (method === 'notifications/cancelled') {
    const id = params?.['requestId'] as RequestId
    connection.inquiries.get(id)?.abort()
    connection.inquiries.delete(id)
  } else {
    const kind = CHANGED.get(method)
    if (kind) {
      cache.forget(`${kind}/`)
      for (const listener of connection.listListeners[kind]) guard(connection.config.onUncaughtError, listener)
    }
  }
  for (const listener of connection.notificationListeners)
    guard(connection.config.onUncaughtError, listener, { method, params })
}
