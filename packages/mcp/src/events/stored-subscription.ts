import type { Connection } from '../client/connection.ts'
import { MCPError, must } from '../errors.ts'
import { quote } from '../failure.ts'
import type { MCPEventStore, MCPEventSubscription, SubscriptionChoice } from './event-types.ts'

export function storeOf({ config }: Connection): MCPEventStore {
  const store = config.experimental_events?.store
  must(store, 'Subscriptions need experimental_events: { store }')
  return store
}

/** The subscription that is meant, from the store. */
export async function storedSubscription(
  store: MCPEventStore,
  { id, key }: SubscriptionChoice,
): Promise<MCPEventSubscription> {
  must(typeof (id ?? key) === 'string', 'Needs the id of a subscription, or its key')
  const found = id === undefined ? await store.get(key as string) : await store.getById(id)
  if (found) return found
  throw new MCPError(`The store has no subscription ${quote(id ?? key)}: it has ended. Subscribe anew`, 'expired')
}
