import { MCPError } from '../errors.ts'
import { quote } from '../failure.ts'
import { paramHeaders } from '../wire/param-headers.ts'
import { type Connection, report } from './connection.ts'
import { hasName } from './list.ts'

/** Leaves out what has no name, and tools whose header annotations are wrong: neither could be called. */
export function keepUsable(connection: Connection, items: unknown[]): unknown[] {
  const { era, place, toolHeaders } = connection
  return items.filter((item) => {
    let name = 'what has no name'
    try {
      if (!hasName(item)) throw new TypeError('it cannot be asked for')
      name = String(item['name'])
      if (era.stateless && 'inputSchema' in item) toolHeaders.set(name, paramHeaders(item['inputSchema']))
      return true
    } catch (cause) {
      report(connection)(
        new MCPError(`${place} lists ${quote(name)}: ${(cause as Error).message}`, 'protocol', { cause }),
      )
      return false
    }
  })
}
