import type { InitializeResult } from '../model.ts'
import { judgeDiscoveryFailure } from '../wire/judge-discovery-failure.ts'
import { askForSession, beginSession, type Discovery } from './connect.ts'
import type { Connection } from './connection.ts'

type Outcome = Discovery | { server: InitializeResult }

/**
 * Asks for a session while `server/discover` is still under way, and takes what succeeds first: a session-era server may
 * ignore the discovery, and a slow stateless server refuses the session. Resolves to undefined once a session is there.
 */
export async function initializeBeside(
  connection: Connection,
  discovering: Promise<Discovery>,
  discovery: AbortController,
): Promise<Discovery | undefined> {
  const { bounds } = connection
  const leaving = new AbortController()
  const signal = bounds ? AbortSignal.any([bounds.signal, leaving.signal]) : leaving.signal
  // If it fails, the failure to discover is the one to report: it is what went wrong first.
  const opening = askForSession(connection, { ...bounds, signal }).catch(() => undefined)
  const sessionOrDiscovery = async (): Promise<Outcome> => {
    const server = await opening
    return server ? { server } : discovering
  }
  let outcome = await Promise.race<Outcome>([discovering, sessionOrDiscovery()])
  if ('failure' in outcome && mayHaveSessions(outcome.failure)) outcome = await sessionOrDiscovery()
  if (!('server' in outcome)) {
    leaving.abort()
    return outcome
  }
  discovery.abort()
  await beginSession(connection, outcome.server)
  return undefined
}

function mayHaveSessions(failure: unknown): boolean {
  try {
    return !judgeDiscoveryFailure(failure)
  } catch {
    return false
  }
}
