import { type Connection, fail } from '../client/connection.ts'
import { must } from '../errors.ts'
import { callbackUrl } from './callback-url.ts'
import { createSecret, decodeSecret } from './event-secret.ts'
import type {
  MCPEventDefinition,
  MCPEventSubscription,
  SubscribeEventOptions,
  SubscribeEventResult,
} from './event-types.ts'
import { listEvents } from './list-events.ts'
import { register } from './register.ts'
import { storeOf } from './stored-subscription.ts'

const MAX_PAGES = 100

/** Subscribes to an event that the server has. The secret is stored before the server hears of it. */
export async function subscribe(connection: Connection, given: SubscribeEventOptions): Promise<SubscribeEventResult> {
  const { name, arguments: args = {}, delivery, cursor = null, ttlMs, maxAgeMs, options } = given
  const store = storeOf(connection)
  must(delivery?.mode === 'webhook', "delivery.mode must be 'webhook'")
  must(ttlMs == null || (Number.isSafeInteger(ttlMs) && ttlMs > 0), 'ttlMs must be a whole number above 0, or null')
  must(maxAgeMs == null || (Number.isSafeInteger(maxAgeMs) && maxAgeMs >= 0), 'maxAgeMs must be a whole number')
  const secret = delivery.secret ?? createSecret()
  decodeSecret(secret)
  const key = crypto.randomUUID()
  const url = callbackUrl(delivery.url, key, delivery.allowInsecureLocalhost)

  const definition = await findEvent(connection, given)
  await connection.config.experimental_events?.validateArguments?.({ definition, arguments: args })
  const subscription: MCPEventSubscription = {
    key,
    name,
    arguments: structuredClone(args),
    definition,
    delivery: { mode: 'webhook', url, secret },
    cursor,
    truncated: false,
    ...(ttlMs !== undefined && { ttlMs }),
    ...(maxAgeMs !== undefined && { maxAgeMs }),
    status: 'pending',
  }
  // Before the server is told: it asks the webhook at once, which must know the secret by then.
  await store.set(subscription)
  return register(connection, store, subscription, options)
}

/** Looks through the pages of the list for an event that webhooks can hear of. */
async function findEvent(
  connection: Connection,
  { name, options }: SubscribeEventOptions,
): Promise<MCPEventDefinition> {
  const about = { method: 'events/subscribe', params: { name } }
  const seen = new Set<string | undefined>()
  let cursor: string | undefined
  do {
    if (seen.has(cursor) || seen.size >= MAX_PAGES)
      return fail(connection, about, `found no end of the list: ${seen.size} pages`, 'limit')
    seen.add(cursor)
    const page = await listEvents(connection, { ...(cursor && { params: { cursor } }), options })
    const found = page.events.find((event) => event.name === name)
    if (found?.delivery.includes('webhook')) return found
    if (found) return fail(connection, about, `is not for webhooks, only ${found.delivery.join(', ')}`, 'protocol')
    cursor = page.nextCursor || undefined
  } while (cursor)
  return fail(connection, about, 'is not in the list of events: see experimental_events.list()', 'protocol')
}
