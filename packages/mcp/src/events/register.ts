import { type Connection, fail, type RequestOptions } from '../client/connection.ts'
import { isMCPError, MCPError } from '../errors.ts'
import { say } from '../failure.ts'
import type { JsonObject } from '../jsonrpc.ts'
import { askServer } from './ask-server.ts'
import { withoutSecret } from './event-secret.ts'
import type { MCPEventStore, MCPEventSubscription, SubscribeEventResult } from './event-types.ts'
import { isTime } from './is-time.ts'

const METHOD = 'events/subscribe'
/** It comes back in a header of every delivery. */
const MAX_ID = 1024
const MAX_CURSOR = 64 * 1024

/** Tells the server of a subscription, new or known, and stores what it grants. */
export async function register(
  connection: Connection,
  store: MCPEventStore,
  { key, name, arguments: args, delivery, cursor, ttlMs, maxAgeMs }: MCPEventSubscription,
  options: RequestOptions | undefined,
): Promise<SubscribeEventResult> {
  const params = {
    name,
    arguments: args,
    delivery,
    cursor,
    ...(ttlMs !== undefined && { ttlMs }),
    ...(maxAgeMs !== undefined && { maxAgeMs }),
  }
  // Where it fails the subscription stays pending: the server may have heard, and refresh or unsubscribe need the key.
  const answer = await askServer(connection, METHOD, params, options).catch((error: unknown) => {
    throw hideSecret(error, delivery.secret)
  })
  const granted = readGrant(answer)
  if (!granted) return fail(connection, { method: METHOD, params: { name } }, 'got no subscription', 'protocol')
  const { id, refreshBefore, truncated } = granted
  await store.update(key, { id, refreshBefore, cursor: granted.cursor, truncated, status: 'active' })
  return granted
}

function readGrant(answer: JsonObject): SubscribeEventResult | undefined {
  const { id, refreshBefore, truncated } = answer
  const cursor = answer['cursor'] ?? null
  const isGrant =
    typeof id === 'string' &&
    id !== '' &&
    id.length <= MAX_ID &&
    (refreshBefore === null || isTime(refreshBefore)) &&
    (cursor === null || (typeof cursor === 'string' && cursor.length <= MAX_CURSOR)) &&
    typeof truncated === 'boolean'
  return isGrant ? ({ ...answer, cursor } as SubscribeEventResult) : undefined
}

/** Removes the secret from an error, because a server that refuses a secret may quote it, and errors end up in logs. */
function hideSecret(error: unknown, secret: string): unknown {
  if (!isMCPError(error)) return error
  const { message, reason, serverMessage, data, ...details } = error
  const texts = [message, serverMessage ?? '', say(data)]
  if (texts.every((text) => withoutSecret(text, secret) === text)) return error
  const shown = serverMessage === undefined ? {} : { serverMessage: withoutSecret(serverMessage, secret) }
  return new MCPError(withoutSecret(message, secret), reason, { ...(details as object), ...shown })
}
