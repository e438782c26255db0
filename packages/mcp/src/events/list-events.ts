import { type Connection, fail, report } from '../client/connection.ts'
import type { ListArguments } from '../client/list.ts'
import { failure, quote } from '../failure.ts'
import { isObject } from '../jsonrpc.ts'
import { askServer } from './ask-server.ts'
import type { ListEventsResult, MCPEventDefinition } from './event-types.ts'

/** A definition is stored with every subscription. */
const MAX_DEFINITION = 256 * 1024
const METHOD = 'events/list'

/** One page of the events that a server has. What is no definition is left out, alone, and reported. */
export async function listEvents(
  connection: Connection,
  { params, options }: ListArguments = {},
): Promise<ListEventsResult> {
  const page = await askServer(connection, METHOD, params, options)
  const { events, nextCursor } = page
  const isPage = Array.isArray(events) && (nextCursor == null || typeof nextCursor === 'string')
  if (!isPage) return fail(connection, { method: METHOD }, 'was answered without events', 'protocol')
  const usable = events.flatMap((item: unknown) => {
    const definition = readDefinition(item)
    if (!definition) {
      const text = `has an event that is left out: ${quote(isObject(item) ? item['name'] : item)}`
      report(connection)(failure(connection.place, { method: METHOD }, text, 'protocol'))
    }
    return definition ?? []
  })
  return { ...page, events: usable } as ListEventsResult
}

const isSchema = (value: unknown): boolean => typeof value === 'boolean' || isObject(value)

function readDefinition(item: unknown): MCPEventDefinition | undefined {
  if (!isObject(item) || !Array.isArray(item['delivery'])) return undefined
  const { name, description, inputSchema, payloadSchema } = item
  const delivery = item['delivery'].filter((mode) => mode === 'webhook' || mode === 'poll' || mode === 'push')
  const isDefinition =
    typeof name === 'string' &&
    name !== '' &&
    (description == null || typeof description === 'string') &&
    delivery.length > 0 &&
    isSchema(inputSchema) &&
    isSchema(payloadSchema) &&
    JSON.stringify(item).length <= MAX_DEFINITION
  return isDefinition ? ({ ...item, delivery } as unknown as MCPEventDefinition) : undefined
}
