import { readInitialize } from '../wire/choose-era.ts'
import { STATELESS_REVISIONS } from '../wire/revisions.ts'
import { initializeMessage, useEra } from './connect.ts'
import type { Connection } from './connection.ts'

/** Takes up a saved session: nothing is asked, all is known. */
export function goOn(connection: Connection): void {
  const { transport, config } = connection
  const { session, initialInitializeResult } = config
  connection.server = readInitialize({ ...(session?.initializeResult ?? initialInitializeResult) })
  if (session?.sessionId) transport.sessionId = session.sessionId
  const { protocolVersion } = connection.server
  // A stateless revision that answered `initialize` belongs to a session, which may have no id.
  const isStateless = session?.stateless ?? (!transport.sessionId && STATELESS_REVISIONS.includes(protocolVersion))
  if (!useEra(connection, protocolVersion, isStateless).stateless) transport.initialize = initializeMessage(connection)
}
