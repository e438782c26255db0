import type { MCPClientConfig } from '../client/connection.ts'
import { must } from '../errors.ts'
import type { ManagedMCPEvents, MCPEventAdapter } from './event-types.ts'

/** Whether a value has all of these methods. */
export const can = (value: unknown, methods: string): boolean =>
  typeof value === 'object' &&
  value !== null &&
  methods.split(' ').every((name) => typeof (value as Record<string, unknown>)[name] === 'function')

type Described = Parameters<MCPEventAdapter['createAdapter']>[0]['transport']

function describe(transport: MCPClientConfig['transport']): Described {
  if (typeof transport === 'string' || transport instanceof URL) return { type: 'http', url: `${transport}` }
  return 'send' in transport ? { type: 'custom' } : { type: transport.type, url: `${transport.url}` }
}

/** Has the adapter give its operations; the list of events stays the server's own. */
export function manageEvents(
  adapter: MCPEventAdapter,
  transport: MCPClientConfig['transport'],
  list: ManagedMCPEvents['list'],
): ManagedMCPEvents {
  must(can(adapter, 'createAdapter'), 'experimental_events.adapter needs createAdapter')
  const operations = adapter.createAdapter({
    transport: describe(transport),
  })
  const isPromise = can(operations, 'then')
  // Nobody will wait for it: what it rejects with would end the process.
  if (isPromise) Promise.resolve(operations).catch(() => {})
  must(
    !isPromise && can(operations, 'subscribe getSubscription listSubscriptions unsubscribe'),
    'createAdapter must return subscribe, getSubscription, listSubscriptions and unsubscribe, and no promise of them',
  )
  return {
    list,
    subscribe: (input) => operations.subscribe(input),
    getSubscription: (input) => operations.getSubscription(input),
    listSubscriptions: (input) => operations.listSubscriptions(input),
    unsubscribe: (input) => operations.unsubscribe(input),
  }
}
