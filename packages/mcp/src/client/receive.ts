import { guard } from '../errors.ts'
import { isRequest, isResponse, type JsonRpcMessage } from '../jsonrpc.ts'
import type { MessageExtra } from '../transport/transport.ts'
import { type Connection, type ListKind, onDemand, report } from './connection.ts'

/** Brings a message to whom it concerns. */
export function receive(connection: Connection, message: JsonRpcMessage, extra?: MessageExtra): void {
  const { pending, inquiries, notificationListeners, listListeners, config } = connection
  if (isResponse(message)) return pending.get(message.id)?.settle(message, extra)
  if (isRequest(message)) {
    const abort = new AbortController()
    inquiries.set(message.id, abort)
    onDemand()
      .then(({ answerRequest }) => answerRequest(connection, message, abort))
      .catch(report(connection))
    return
  }
  const { method, params = {} } = message
  if (method === 'notifications/progress') connection.progress.get(params['progressToken'])?.(params)
  else if (method.endsWith('/list_changed')) {
    const kind = method.slice(14, -13) as ListKind
    connection.cache.forget(`${kind}/`)
    if (Object.hasOwn(listListeners, kind))
      for (const listener of listListeners[kind]) guard(config.onUncaughtError, listener)
  } else if (method === 'notifications/cancelled') inquiries.get(params['requestId'])?.abort()
  else connection.notices.get(method.slice(14))?.(params)
  if (notificationListeners.size === 0) return
  for (const listener of notificationListeners)
    guard(config.onUncaughtError, listener, { method, params: message.params })
}
