import { paramHeaders } from '../wire/param-headers.ts'
import type { Connection } from './connection.ts'
import { hasName } from './list.ts'
import { reportLeftOut } from './report-left-out.ts'

/** Leaves out what has no name, and tools whose header annotations are wrong: neither could be called. */
export function keepUsable(connection: Connection, items: unknown[]): unknown[] {
  const { era, toolHeaders } = connection
  return items.filter((item) => {
    let name = 'what has no name'
    try {
      if (!hasName(item)) throw new TypeError('it cannot be asked for')
      name = String(item['name'])
      if (era.stateless && 'inputSchema' in item) toolHeaders.set(name, paramHeaders(item['inputSchema']))
      return true
    } catch (cause) {
      reportLeftOut(connection, name, cause)
      return false
    }
  })
}
