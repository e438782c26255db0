import type { Connection } from '../client/connection.ts'
import { askServer } from './ask-server.ts'
import type { SubscriptionChoice } from './event-types.ts'
import { storedSubscription, storeOf } from './stored-subscription.ts'

/** Ends a subscription at the server, and then forgets it. */
export async function unsubscribe(connection: Connection, choice: SubscriptionChoice): Promise<void> {
  const store = storeOf(connection)
  const { key, name, arguments: args, delivery } = await storedSubscription(store, choice)
  const params = { name, arguments: args, delivery: { mode: 'webhook', url: delivery.url } }
  await askServer(connection, 'events/unsubscribe', params, choice.options)
  await store.delete(key)
}
