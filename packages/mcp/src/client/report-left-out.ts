import { MCPError } from '../errors.ts'
import { quote } from '../failure.ts'
import { type Connection, report } from './connection.ts'

/** Clients whose user has been warned. */
const warned = new WeakSet<Connection>()

/** Tells that something of a list is left out, and why. Where nobody listens, the console says it once: it would just be missing. */
export function reportLeftOut(connection: Connection, name: unknown, cause: unknown): void {
  const { place, config } = connection
  const text = `${place} lists ${quote(name)}, which is left out: ${(cause as Error).message}`
  report(connection)(new MCPError(text, 'protocol', { cause }))
  if (config.onUncaughtError || warned.has(connection)) return
  warned.add(connection)
  console.warn(`${text}. Set onUncaughtError to hear of others too`)
}
