import { readInitialize } from '../wire/choose-era.ts'
import { initializeMessage, useEra } from './connect.ts'
import type { Connection } from './connection.ts'

/** Takes up a saved session: nothing is asked, all is known. */
export function goOn(connection: Connection): void {
  const { transport, config } = connection
  const { session, initialInitializeResult } = config
  connection.server = readInitialize({ ...(session?.initializeResult ?? initialInitializeResult) })
  if (session?.sessionId) transport.sessionId = session.sessionId
  if (!useEra(connection, connection.server.protocolVersion).stateless)
    transport.initialize = initializeMessage(connection)
}
