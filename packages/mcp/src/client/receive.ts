import { guard } from '../errors.ts'
import { isObject, isRequest, isResponse, type JsonRpcMessage, type RequestId } from '../jsonrpc.ts'
import type { MessageExtra } from '../transport/transport.ts'
import { SUBSCRIPTION_ID } from '../wire/era-2026-07-28.ts'
import { type Connection, type ListKind, onDemand, report } from './connection.ts'

/** Brings a message to whom it concerns. */
export function receive(connection: Connection, message: JsonRpcMessage, extra?: MessageExtra): void {
  const { pending, cache, inquiries, config } = connection
  if (isResponse(message)) return pending.get(message.id)?.settle(message, extra)
  if (isRequest(message)) {
    onDemand()
      .then(({ answerRequest }) => answerRequest(connection, message))
      .catch(report(connection))
    return
  }
  const { method, params = {} } = message
  const about = method.slice('notifications/'.length)
  const call = (listeners: Iterable<() => void> | undefined): void => {
    for (const listener of listeners ?? []) guard(config.onUncaughtError, listener)
  }
  if (about === 'progress') pending.get(params['progressToken'])?.onprogress?.(params)
  else if (about === 'resources/updated') {
    const uri = String(params['uri'])
    cache.forget(`resources/read ${uri}`)
    // A server may tell of a part of what was subscribed to.
    for (const [subscribed, handlers] of connection.subscriptions)
      if (`${uri}/`.startsWith(`${subscribed}/`)) call(handlers)
  } else if (about === 'subscriptions/acknowledged') {
    const { _meta } = params
    if (isObject(_meta)) pending.get(_meta[SUBSCRIPTION_ID])?.onacknowledged?.()
  } else if (about === 'cancelled') {
    const id = params['requestId'] as RequestId
    inquiries.get(id)?.abort()
    inquiries.delete(id)
  } else if (about.endsWith('/list_changed')) {
    const kind = about.slice(0, -13) as ListKind
    cache.forget(`${kind}/`)
    if (Object.hasOwn(connection.listListeners, kind)) call(connection.listListeners[kind])
  }
  const { notificationListeners } = connection
  if (notificationListeners.size === 0) return
  for (const listener of notificationListeners)
    guard(config.onUncaughtError, listener, { method, params: message.params })
}
