import { guard } from '../errors.ts'
import { isRequest, isResponse, type JsonRpcMessage } from '../jsonrpc.ts'
import type { MessageExtra } from '../transport/transport.ts'
import { type Connection, type ListKind, onDemand, report } from './connection.ts'

/** Brings a message to whom it concerns. */
export function receive(connection: Connection, message: JsonRpcMessage, extra?: MessageExtra): void {
  const { pending, notificationListeners, listListeners, config } = connection
  if (isResponse(message)) return pending.get(message.id)?.settle(message, extra)
  if (isRequest(message)) {
    onDemand()
      .then(({ answerRequest }) => answerRequest(connection, message))
      .catch(report(connection))
    return
  }
  const { method, params = {} } = message
  const about = method.slice('notifications/'.length)
  if (about === 'progress') pending.get(params['progressToken'])?.onprogress?.(params)
  else if (about.endsWith('/list_changed')) {
    const kind = about.slice(0, -13) as ListKind
    connection.cache.forget(`${kind}/`)
    if (Object.hasOwn(listListeners, kind))
      for (const listener of listListeners[kind]) guard(config.onUncaughtError, listener)
  } else connection.notices.get(about)?.(params)
  if (notificationListeners.size === 0) return
  for (const listener of notificationListeners)
    guard(config.onUncaughtError, listener, { method, params: message.params })
}
