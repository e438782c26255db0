import { MCPError } from '../errors.ts'
import { unlessAborted } from '../transport/retry-law.ts'
import { connect, wire } from './connect.ts'
import type { Connection } from './connection.ts'

/** Connects within `initializationOptions`: all steps together, from the start of the transport to the last. */
export async function connectInTime(connection: Connection): Promise<void> {
  const { config, place, transport } = connection
  const { signal, timeout = Infinity, maxTotalTimeout = Infinity, _meta } = config.initializationOptions ?? {}
  const ms = Math.min(timeout, maxTotalTimeout)
  const cap = new AbortController()
  const late = (): void =>
    cap.abort(new MCPError(`Connecting to ${place} took over ${ms} ms: allow more, or ask whether it is up`, 'timeout'))
  // A longer timer would fire at once.
  const startTimer = (afterMs: number) => (afterMs < 2 ** 31 ? setTimeout(late, afterMs) : undefined)
  let timer = startTimer(ms)
  const limit = AbortSignal.any([cap.signal, ...(signal ? [signal] : [])])
  connection.bounds = {
    signal: limit,
    _meta,
    // The steps have no time of their own; but a server that swallows the first question leaves some for the second.
    ...(ms < Infinity && { timeout: Infinity, maxTotalTimeout: Infinity, probeMs: ms / 2 }),
    onsignin(waitMs) {
      clearTimeout(timer)
      timer = startTimer(waitMs + ms)
    },
  }
  try {
    limit.throwIfAborted()
    // By itself: a transport that starts too late must not go on to connect.
    if (!transport.onmessage) await unlessAborted(wire(connection), limit)
    await unlessAborted(connect(connection), limit)
  } finally {
    clearTimeout(timer)
  }
}
