import { must } from '../errors.ts'
import type { ManagedMCPEvents, MCPEvents, MCPEventsConfig } from '../events/event-types.ts'
import { can, manageEvents } from '../events/manage-events.ts'
import type { Connection } from './connection.ts'
import type { MCPClient } from './mcp-client.ts'

export type {
  ManagedMCPClient,
  ManagedMCPEvents,
  MCPEventAdapter,
  MCPEvents,
  MCPEventsConfig,
} from '../events/event-types.ts'

/** The events of a client, made once: an adapter is asked only once. */
export const eventsOf = (connection: Connection, client: MCPClient): MCPEvents =>
  // With an adapter they are managed ones: the types of createMCPClient tell it.
  (connection.events ??= createEvents(connection, client)) as MCPEvents

function createEvents(connection: Connection, client: MCPClient): MCPEvents | ManagedMCPEvents {
  const { adapter, store, validateArguments }: Partial<MCPEventsConfig> = connection.config.experimental_events ?? {}
  const deeds = async () => {
    await client.connect()
    // Needed only where a server has events.
    return import('../events/events.ts')
  }
  const list: MCPEvents['list'] = async (given) => (await deeds()).listEvents(connection, given)
  if (adapter !== undefined) {
    must(!store && !validateArguments, 'experimental_events takes an adapter alone, or a store')
    return manageEvents(adapter, connection.config.transport, list)
  }
  must(
    store === undefined || can(store, 'get getById set update delete'),
    'experimental_events.store needs get, getById, set, update and delete',
  )
  const events: MCPEvents = {
    list,
    subscribe: async (options) => (await deeds()).subscribe(connection, options),
    refresh: async (choice) => (await deeds()).refresh(connection, choice),
    unsubscribe: async (choice) => (await deeds()).unsubscribe(connection, choice),
  }
  return events
}
