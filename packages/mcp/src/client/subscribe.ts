import { guard, MCPError } from '../errors.ts'
import { backoffMs, pause } from '../transport/retry-law.ts'
import type { Connection, ListKind } from './connection.ts'
import { request, requestOnce } from './request.ts'

export interface Subscription {
  close(): Promise<void>
}

/** Hears of every change of a resource until closed. */
export async function subscribe(connection: Connection, uri: string, handler: () => void): Promise<Subscription> {
  const { subscriptions, era } = connection
  let handlers = subscriptions.get(uri)
  const first = !handlers
  if (!handlers) subscriptions.set(uri, (handlers = new Set()))
  // A wrapper of its own: the same function may subscribe twice.
  const own = (): void => handler()
  handlers.add(own)
  const leave = (): boolean => handlers.delete(own) && handlers.size === 0 && subscriptions.delete(uri)
  try {
    if (era.stateless) {
      if (first) await listen(connection)
    } else {
      await openStream(connection)
      if (first) await request(connection, 'resources/subscribe', { uri })
    }
  } catch (error) {
    leave()
    throw error
  }
  return {
    async close() {
      if (!leave() || connection.closed) return
      if (era.stateless) await listen(connection)
      else await request(connection, 'resources/unsubscribe', { uri })
    },
  }
}

/** Opens the way on which the server speaks unasked; resolves when it is open or the server has none. */
export async function openStream(connection: Connection): Promise<void> {
  if (!connection.era.stateless) return connection.transport.openStream?.()
  if (connection.streamWanted && connection.listening) return
  connection.streamWanted = true
  await listen(connection)
}

/** What the server is asked to tell, as far as it can. */
function wishes({
  server,
  streamWanted,
  listListeners,
  subscriptions,
}: Connection): { [wish: string]: unknown } | undefined {
  const wanted: { [wish: string]: unknown } = {}
  for (const kind of ['tools', 'resources', 'prompts'] as const satisfies ListKind[]) {
    const asked = streamWanted || listListeners[kind].size > 0
    if (asked && server.capabilities[kind]?.listChanged) wanted[`${kind}ListChanged`] = true
  }
  if (subscriptions.size > 0) wanted['resourceSubscriptions'] = [...subscriptions.keys()]
  return Object.keys(wanted).length > 0 ? wanted : undefined
}

/** Makes the stream of the stateless era tell what is wanted now. The old one ends when the new one stands. */
export async function listen(connection: Connection): Promise<void> {
  const previous = connection.listening
  const notifications = wishes(connection)
  connection.listening = undefined
  if (notifications && !connection.closed) {
    const abort = new AbortController()
    connection.listening = abort
    await new Promise<void>((resolve, reject) => {
      keepListening(connection, notifications, abort.signal, resolve).then(resolve, reject)
    })
  }
  previous?.abort()
}

/** One stream after the other, for ever; ends where the server has none, throws where it refuses. */
async function keepListening(
  connection: Connection,
  notifications: { [wish: string]: unknown },
  signal: AbortSignal,
  onopen: () => void,
): Promise<void> {
  let opened = false
  for (let tries = 0; !signal.aborted && !connection.closed; tries++) {
    let acknowledged = false
    const began = performance.now()
    const onacknowledged = (): void => {
      acknowledged = true
      // What changed while no stream stood, nobody told us.
      if (opened) connection.cache.forget()
      opened = true
      onopen()
    }
    try {
      await requestOnce(
        connection,
        'subscriptions/listen',
        { notifications },
        { signal, timeout: Infinity, onacknowledged },
      )
      if (!acknowledged) return
    } catch (error) {
      if (signal.aborted || connection.closed) return
      const { reason, statusCode = 0 } = error instanceof MCPError ? error : { reason: 'protocol' as const }
      const passing = reason === 'network' || statusCode === 429 || statusCode > 499
      if (!passing) {
        if (!opened) throw error
        return connection.config.onUncaughtError?.(error)
      }
    }
    if (performance.now() - began > 10_000) tries = 0
    await pause(backoffMs(tries + 1, { baseMs: 250, capMs: 30_000 }), signal).catch(() => {})
  }
}

/** A new session knows nothing of what the old one was told. */
export async function resubscribe(connection: Connection): Promise<void> {
  connection.cache.forget()
  for (const uri of connection.subscriptions.keys()) await request(connection, 'resources/subscribe', { uri })
  if (connection.logLevel) await request(connection, 'logging/setLevel', { level: connection.logLevel })
  for (const listeners of Object.values(connection.listListeners)) {
    for (const listener of listeners) guard(connection.config.onUncaughtError, listener)
  }
}
