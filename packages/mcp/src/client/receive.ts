import { guard } from '../errors.ts'
import { isRequest, isResponse, type JsonRpcMessage } from '../jsonrpc.ts'
import type { MessageExtra } from '../transport/transport.ts'
import { type Connection, onDemand, report } from './connection.ts'

/** Brings a message to whom it concerns. */
export function receive(connection: Connection, message: JsonRpcMessage, extra?: MessageExtra): void {
  const { pending, inquiries, notificationListeners, config } = connection
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
