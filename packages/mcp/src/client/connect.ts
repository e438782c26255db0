import { MCPError, quote } from '../errors.ts'
import type { JsonRpcMessage, JsonRpcRequest } from '../jsonrpc.ts'
import type { MessageExtra } from '../transport/transport.ts'
import {
  judgeDiscovery,
  judgeDiscoveryFailure,
  readDiscovery,
  readInitialize,
  speaksSessions,
  type Verdict,
} from '../wire/choose-era.ts'
import type { Era } from '../wire/era.ts'
import { sessionEra } from '../wire/era-2025-11-25.ts'
import { statelessEra } from '../wire/era-2026-07-28.ts'
import { SESSION_REVISIONS, STATELESS_REVISIONS } from '../wire/revisions.ts'
import { capabilitiesOf, type Connection } from './connection.ts'
import { receive } from './receive.ts'
import { notify, request, requestOnce } from './request.ts'
import { openStream, resubscribe } from './subscribe.ts'

/** A server that swallows what it does not know would keep us waiting: then sessions are tried. */
const PROBE_MS = 10_000

/** Finds out which era the server speaks, and meets it. */
export async function connect(connection: Connection): Promise<void> {
  const { transport, config } = connection
  const report = (error: unknown): void => config.onUncaughtError?.(error)
  transport.onmessage = (message: JsonRpcMessage, extra?: MessageExtra) => receive(connection, message, extra)
  transport.onerror = report
  transport.onclose = () => leaveAll(connection)
  transport.on?.('session', ({ renewed }) => {
    if (renewed) resubscribe(connection).catch(report)
  })
  transport.on?.('authorized', () => connection.cache.forget())
  await transport.start()

  const saved = config.session?.initializeResult ?? config.initialInitializeResult
  if (saved) {
    connection.server = saved
    useEra(connection, saved.protocolVersion)
    if (!connection.era.stateless) transport.setInitialize?.(initializeMessage(connection))
  } else if (
    config.protocolVersionDiscovery === false ||
    !transport.supportsProtocolVersionDiscovery ||
    !(await discover(connection))
  ) {
    await initialize(connection)
  }
  const { elicitation, sampling, roots } = capabilitiesOf(connection)
  const asked = !connection.era.stateless && (elicitation ?? sampling ?? roots)
  // Before anything is called: a question that finds no stream is lost, and the call that needs it hangs.
  if (asked || config.onNotification) await openStream(connection).catch(report)
}

function useEra(connection: Connection, revision: string): Era {
  connection.era = STATELESS_REVISIONS.includes(revision) ? statelessEra(revision) : sessionEra(revision)
  connection.meta = undefined
  if (!connection.era.stateless) connection.transport.setProtocolVersion?.(revision)
  return connection.era
}

/** Asks as a client of the stateless era does. False: this server knows only sessions. */
async function discover(connection: Connection): Promise<boolean> {
  const { initializationOptions: options, requestOptions } = connection.config
  const timeout = Math.min(options?.timeout ?? requestOptions?.timeout ?? PROBE_MS, PROBE_MS)
  const era = useEra(connection, STATELESS_REVISIONS[0]!)
  for (let retried = false; ; retried = true) {
    let verdict: Verdict
    try {
      const result = await requestOnce(connection, 'server/discover', {}, { ...options, timeout })
      verdict = judgeDiscovery(result)
      if (verdict === 'session') return false
      connection.server = readDiscovery(useEra(connection, verdict.revision), result)
      return true
    } catch (error) {
      // A page cannot tell a server that is down from one whose CORS headers do not admit the headers of this era.
      verdict = judgeDiscoveryFailure(error)
      if (verdict === 'session') return false
      if (retried) throw error
      if (verdict.revision !== era.revision) useEra(connection, verdict.revision)
    }
  }
}

function initializeMessage(connection: Connection): JsonRpcRequest {
  const [protocolVersion] = SESSION_REVISIONS
  const params = { protocolVersion, capabilities: capabilitiesOf(connection), clientInfo: connection.clientInfo }
  return { jsonrpc: '2.0', id: connection.nextId++, method: 'initialize', params }
}

async function initialize(connection: Connection): Promise<void> {
  const { config, place } = connection
  connection.era = sessionEra(SESSION_REVISIONS[0]!)
  connection.meta = undefined
  const { params } = initializeMessage(connection)
  connection.server = readInitialize(await request(connection, 'initialize', params, config.initializationOptions))
  const { protocolVersion } = connection.server
  if (!speaksSessions(protocolVersion)) {
    const text = `${place} speaks revision ${quote(protocolVersion)} of MCP, which this client does not know`
    throw new MCPError(text, 'protocol', { method: 'initialize' })
  }
  useEra(connection, protocolVersion)
  await notify(connection, 'notifications/initialized')
  if (connection.logLevel && connection.server.capabilities.logging) {
    await request(connection, 'logging/setLevel', { level: connection.logLevel }, config.initializationOptions)
  }
}

/** The transport is gone: nobody may wait for what cannot come. */
export function leaveAll(connection: Connection): void {
  for (const { fail } of [...connection.pending.values()]) {
    fail(new MCPError(`${connection.place} was closed before the answer`, 'closed'))
  }
}
