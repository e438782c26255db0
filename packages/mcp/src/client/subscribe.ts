import { closingSignal } from '../closing-signal.ts'
import { guard, isMCPError, must } from '../errors.ts'
import { isObject, type JsonObject } from '../jsonrpc.ts'
import { backoffMs, LASTING_MS, pause } from '../transport/retry-law.ts'
import { SUBSCRIPTION_ID } from '../wire/subscription-id.ts'
import { type Connection, type ListKind, report } from './connection.ts'
import { request, requestOnce } from './request.ts'

/** Updates of a resource, until it is closed. */
export interface Subscription {
  close(): Promise<void>
}

/** How long connecting and subscribing wait for a server to acknowledge its stream. It stays wanted after that. */
const ACKNOWLEDGE_MS = 1000

/** The request under way or done for those who subscribed to the same resource. */
const opening = new WeakMap<Set<() => void>, Promise<unknown>>()

/** Hears of every change of a resource until closed. */
export async function subscribe(connection: Connection, uri: string, handler: () => void): Promise<Subscription> {
  const { subscriptions, era } = connection
  watchUpdates(connection)
  must(typeof uri === 'string', 'uri must be a string')
  must(typeof handler === 'function', 'The handler must be a function')
  const handlers = subscriptions.get(uri) ?? new Set()
  const first = handlers.size === 0
  // A function of its own: the same handler may subscribe twice.
  const own = (): void => handler()
  subscriptions.set(uri, handlers.add(own))
  const leave = (): boolean => handlers.delete(own) && handlers.size === 0 && subscriptions.delete(uri)
  const tell = async (method: string): Promise<unknown> =>
    era.stateless ? listen(connection) : request(connection, `resources/${method}`, { uri })
  try {
    if (!era.stateless) await openStream(connection)
    if (first) opening.set(handlers, tell('subscribe'))
    await opening.get(handlers)
  } catch (error) {
    leave()
    throw error
  }
  return {
    async close() {
      if (leave() && !connection.closed) await tell('unsubscribe')
    },
  }
}

/** From now on the news that a resource changed, or a part of one that was subscribed to, reach whom they concern. */
export function watchUpdates({ cache, subscriptions, config, notices }: Connection): void {
  notices.set('resources/updated', (params) => {
    const uri = String(params['uri'])
    cache.forget(`resources/read ${uri}`)
    for (const [subscribed, handlers] of subscriptions) {
      if (`${uri}/`.startsWith(`${subscribed}/`)) for (const handler of handlers) guard(config.onUncaughtError, handler)
    }
  })
}

/** Hears that a list changed, once the way for it stands. */
export async function onListChanged(connection: Connection, kind: ListKind): Promise<void> {
  const { notices, listListeners, config } = connection
  const name = `${kind}/list_changed`
  if (!notices.has(name)) {
    const tell = paced(connection, 1000, () => {
      for (const listener of listListeners[kind]) guard(config.onUncaughtError, listener)
    })
    notices.set(name, tell)
  }
  await (connection.era.stateless ? listen(connection) : openStream(connection))
}

/**
 * Runs at once, and with a growing pause for as long as it is called again within `busyMs`: what is done about a change makes
 * some servers tell of the next one.
 */
function paced(connection: Connection, busyMs: number, run: () => void): () => void {
  let last = -Infinity
  let gapMs = 0
  let waiting = false
  const runNow = (): void => {
    const now = performance.now()
    gapMs = now - last < Math.max(2 * gapMs, busyMs) ? Math.min(2 * gapMs + 1000, 60_000) : 0
    last = now
    waiting = false
    run()
  }
  return () => {
    if (waiting) return
    const waitMs = last + gapMs * (1 + Math.random() / 4) - performance.now()
    if (!(waitMs > 0)) return runNow()
    waiting = true
    pause(waitMs, closingSignal(connection)).then(runNow, () => {})
  }
}

/** Opens the way on which the server speaks unasked; resolves when it is open or the server has none. */
export async function openStream(connection: Connection): Promise<void> {
  if (!connection.era.stateless) return connection.transport.openStream?.()
  connection.streamWanted = true
  await listen(connection).catch((error: unknown) => {
    // A server without such a stream has nothing to say unasked.
    if (!hasNoStream(error)) throw error
  })
}

/** A list kept for as long as it is true needs the stream that tells when it is not. */
export async function keepTrue(connection: Connection, method: string): Promise<void> {
  const kind = method.split('/')[0] as ListKind
  if (connection.server.capabilities[kind]?.listChanged) await openStream(connection)
}

/**
 * Makes the stream of the stateless era tell what is wanted now. Resolves when the server acknowledges it, the first attempt
 * fails and will be repeated, or {@link ACKNOWLEDGE_MS} have passed. The old stream ends when the new one stands.
 */
async function listen(connection: Connection): Promise<void> {
  const { listening, server, streamWanted, listListeners, subscriptions, closed } = connection
  const notifications: JsonObject = {}
  for (const kind of ['tools', 'resources', 'prompts'] as const) {
    const wanted = streamWanted || listListeners[kind].size > 0
    if (wanted && server.capabilities[kind]?.listChanged) notifications[`${kind}ListChanged`] = true
  }
  if (subscriptions.size > 0) notifications['resourceSubscriptions'] = [...subscriptions.keys()]
  const wishes = JSON.stringify(notifications)
  if (connection.wishes === wishes) return
  connection.wishes = wishes
  const abort = new AbortController()
  connection.listening = abort
  const stop = (): void => listening?.abort()
  if (Object.keys(notifications).length === 0 || closed) return stop()
  await new Promise<void>((resolve, reject) => {
    let waiting = true
    const proceed = (): void => {
      waiting = false
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(proceed, ACKNOWLEDGE_MS)
    // Where streams are scarce the old one makes room for the new.
    const stood = (): void => {
      stop()
      proceed()
    }
    const handlers = { onopen: stood, onwait: stood, onretry: proceed }
    keepListening(connection, notifications, abort.signal, handlers).then(stood, (error: unknown) => {
      // The old stream goes on, and the next who wants more asks again.
      if (connection.listening === abort) connection.listening = listening
      connection.wishes = ''
      if (waiting) reject(error as Error)
      // A server without such a stream has nothing to say unasked, but a subscription needs it.
      else if (!hasNoStream(error) || connection.subscriptions.size > 0) report(connection)(error)
      proceed()
    })
  })
}

const hasNoStream = (error: unknown): boolean => isMCPError(error) && error.code === -32601

/** From now on whoever opens a stream hears what the server agreed to tell on it. */
export function hearAcknowledgements({ notices, pending }: Connection): void {
  notices.set('subscriptions/acknowledged', ({ _meta, notifications }) => {
    if (isObject(_meta)) pending.get(_meta[SUBSCRIPTION_ID])?.onacknowledged?.(notifications)
  })
}

/** One stream after the other, for ever; ends where the server has none, throws where it refuses. */
async function keepListening(
  connection: Connection,
  notifications: JsonObject,
  signal: AbortSignal,
  { onopen, onwait, onretry }: { onopen: () => void; onwait: () => void; onretry: () => void },
): Promise<void> {
  const { cache, transport } = connection
  hearAcknowledgements(connection)
  const { baseMs = 250 } = transport.options?.backoff ?? {}
  let opened = false
  for (let tries = 1; !signal.aborted; tries++) {
    let acknowledged = false
    let askedMs = 0
    const began = performance.now()
    const onacknowledged = (): void => {
      // What changed while no stream stood, nobody told us.
      if (opened) cache.forget()
      acknowledged = opened = true
      onopen()
    }
    try {
      await requestOnce(
        connection,
        'subscriptions/listen',
        { notifications },
        { signal, timeout: Infinity, onacknowledged, onwait },
      )
      if (!acknowledged) return
    } catch (error) {
      if (signal.aborted) return
      const { reason, statusCode = 0, retryAfterMs = 0 } = isMCPError(error) ? error : {}
      askedMs = retryAfterMs
      if (reason !== 'network' && statusCode !== 429 && statusCode < 500) {
        if (!opened) throw error
        connection.wishes = ''
        return report(connection)(error)
      }
    }
    onretry()
    if (performance.now() - began > 10_000) tries = 0
    await pause(Math.max(backoffMs(tries, { baseMs, capMs: 30_000 }), askedMs), signal).catch(() => {})
  }
}

/** What tells a new session what the old one was told. */
const setUps = new WeakMap<Connection, () => void>()

/** A new session knows nothing of what the old one was told. */
export function resubscribe(connection: Connection): void {
  const { cache, inquiries } = connection
  cache.forget()
  // Its questions went with the old session.
  for (const abort of inquiries.values()) abort.abort()
  inquiries.clear()
  let setUp = setUps.get(connection)
  if (!setUp) setUps.set(connection, (setUp = paced(connection, LASTING_MS, () => void setUpSession(connection))))
  setUp()
}

async function setUpSession(connection: Connection): Promise<void> {
  const { subscriptions, server, logLevel, listListeners, config } = connection
  const tell = (method: string, params: JsonObject): Promise<unknown> =>
    request(connection, method, params).catch(report(connection))
  for (const uri of subscriptions.keys()) await tell('resources/subscribe', { uri })
  if (logLevel && server.capabilities.logging) await tell('logging/setLevel', { level: logLevel })
  for (const listeners of Object.values(listListeners))
    for (const listener of listeners) guard(config.onUncaughtError, listener)
}
