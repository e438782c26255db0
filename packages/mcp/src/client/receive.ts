import { guard } from '../errors.ts'
import { asks, isRequest, type JsonRpcMessage } from '../jsonrpc.ts'
import type { MessageExtra } from '../transport/transport.ts'
import { admitRequest } from './admit-request.ts'
import { type Connection, meanwhile } from './connection.ts'

/** Brings a message to whom it concerns. */
export function receive(connection: Connection, message: JsonRpcMessage, extra?: MessageExtra): void {
  const { inquiries, notificationListeners, config } = connection
  if (!asks(message)) return connection.pending.get(message.id)?.settle(message, extra)
  if (isRequest(message)) {
    if (connection.era.stateless || !admitRequest(connection, message)) return
    const abort = new AbortController()
    inquiries.set(message.id, abort)
    return meanwhile(connection, ({ answerRequest }) => answerRequest(connection, message, abort))
  }
  const { method, params = {} } = message
  if (method === 'notifications/progress') connection.progress.get(params['progressToken'])?.(params)
  else {
    const about = method.slice('notifications/'.length)
    if (about.endsWith('/list_changed')) connection.cache.forget(about.slice(0, -12))
    if (about === 'cancelled') inquiries.get(params['requestId'])?.abort()
    connection.notices.get(about)?.(params)
  }
  if (notificationListeners.size === 0) return
  for (const listener of notificationListeners)
    guard(config.onUncaughtError, listener, { method, params: message.params })
}
