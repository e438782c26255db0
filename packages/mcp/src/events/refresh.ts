import type { Connection } from '../client/connection.ts'
import type { SubscribeEventResult, SubscriptionChoice } from './event-types.ts'
import { register } from './register.ts'
import { storedSubscription, storeOf } from './stored-subscription.ts'

/** Has the server keep a subscription for longer, and go on from its last cursor where it has forgotten it. */
export async function refresh(connection: Connection, choice: SubscriptionChoice): Promise<SubscribeEventResult> {
  const store = storeOf(connection)
  const subscription = await storedSubscription(store, choice)
  // Deliveries are put off until the new time is stored: the old one may be over.
  await store.update(subscription.key, { status: 'pending' })
  return register(connection, store, subscription, choice.options)
}
