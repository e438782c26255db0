import { isMCPError } from '../errors.ts'
import { judgeDiscoveryFailure, tellsNothing } from '../wire/judge-discovery-failure.ts'
import { STATELESS_REVISIONS } from '../wire/revisions.ts'
import { discover, initialize } from './connect.ts'
import type { Connection } from './connection.ts'

/** The first contact in the way of the stateless era did not succeed: in another of its revisions, or with a session. */
export async function meetOtherwise(connection: Connection, failure: unknown): Promise<void> {
  for (let tries = 1; ; tries++) {
    // By then `initialize` was tried beside it.
    if (isMCPError(failure) && failure.isTimeout()) throw failure
    const revision = failure === true ? undefined : judgeDiscoveryFailure(failure)
    if (revision && tries > 1) throw failure
    if (!revision) {
      try {
        return await initialize(connection)
      } catch (error) {
        // Without an answer to the discovery nobody knows the era, so a refused session isn't what went wrong.
        if (!tellsNothing(failure) || (isMCPError(error) && error.isUnauthorized())) throw error
        // A page cannot tell a server that is down from one whose CORS headers exclude the headers of this era.
        if (!failure.isNetworkError() || !failure.lost || tries > 2) throw failure
      }
    }
    failure = await discover(connection, revision ?? STATELESS_REVISIONS[0]!)
    if (!failure) return
  }
}
